import { recordTypes } from "#check/assertion";
import { parseDnsUri } from "#check/target";
import { showHostPort } from "#network/host-port";

/**
 * A question for records of one type as people write it: `dns://shop.example?type=TXT`, `shop.example TXT`, or
 * `dig @10.0.0.53 -p 5353 shop.example TXT`. Gives the fields of a form, with a rule for the type if it is not asked for without one; null for
 * anything else.
 */
export function typedQuestion(text: string): ReadonlyMap<string, string> | null {
  const asked = questionIn(text);
  if (asked === null) return null;
  const { name, record, server } = asked;
  const at = server === null ? "" : showHostPort(server.host, server.port).replace(/:53$/, "");
  return new Map([
    ["uri", at === "" ? name : `dns:${name}?server=${at}`],
    ...(askedWithoutRules.has(record) ? [] : [[recordField, record] as const]),
  ]);
}

/** The type of such a question that is asked for without a rule, next to the other one; null if it has a rule, or is none. */
export function typeWithoutRule(text: string): "A" | "AAAA" | null {
  const record = questionIn(text)?.record;
  return record === "A" || record === "AAAA" ? record : null;
}

function questionIn(text: string) {
  const read = parseDnsUri(asUri(text));
  if (!read.ok) return null;
  const { name, types, server } = read.value;
  const record = recordTypes.find((one) => one === types[0]);
  return record === undefined || types.length > 1 ? null : { name, record, server };
}

/** A rule for one of these would only have a value to type. */
const askedWithoutRules: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** The first rule's type. */
export const recordField = "record_assertions[0].record";

/** Without a server between the slashes, as most people write it. */
function asUri(text: string): string {
  const { question, port } = withoutPort(text);
  const [, server, name, type] =
    /^(?:dig\s+)?(?:@(\S+)\s+)?([^\s:]+)(?:\s+IN)?\s+([a-z]+)$/i.exec(question) ?? [];
  if (name === undefined) return text.replace(/^dns:\/\/([^/?]+)\/?\?/i, "dns:$1?");
  // The host's own name servers have no other port: that is not taken for the usual one.
  if (server === undefined) return port === null ? `dns:${name}?type=${type}` : text;
  return `dns:${name}?type=${type}&server=${port === null ? server : showHostPort(server, port)}`;
}

/** `dig -p 5353` asks another port than 53. */
function withoutPort(text: string): { readonly question: string; readonly port: number | null } {
  const [, before, port, after] = /^(dig\b.*?)\s+-p\s*(\d+)(\s.*|)$/i.exec(text) ?? [];
  return port === undefined
    ? { question: text, port: null }
    : { question: `${before}${after}`, port: Number(port) };
}
