import { recordTypes } from "#check/assertion";
import { recordField, ruledType } from "#check/kinds/dns/asked-question";
import { parseDnsUri } from "#check/target";
import { showHostPort } from "#network/host-port";

/**
 * A question for records of one type as people write it: `dns://shop.example?type=TXT` or `shop.example TXT`. Gives the fields
 * of a form, with a rule for the type, or with the type itself if that needs none; null for anything else.
 */
export function typedQuestion(text: string): ReadonlyMap<string, string> | null {
  const asked = questionIn(text);
  if (asked === null) return null;
  const { name, record, server } = asked;
  const at = server === null ? "" : showHostPort(server.host, server.port).replace(/:53$/, "");
  const rule = ruledType(record);
  const query = [
    ...(rule === null ? [`type=${record}`] : []),
    ...(at === "" ? [] : [`server=${at}`]),
  ];
  return new Map([
    ["uri", query.length === 0 ? name : `dns:${name}?${query.join("&")}`],
    ...(rule === null ? [] : [[recordField, rule] as const]),
  ]);
}

/** The type of such a question; empty if it is none. */
export const typeAsked = (text: string): string => questionIn(text)?.record ?? "";

function questionIn(text: string) {
  const read = parseDnsUri(asUri(text));
  if (!read.ok) return null;
  const { name, types, server } = read.value;
  const record = recordTypes.find((one) => one === types[0]);
  return record === undefined || types.length > 1 ? null : { name, record, server };
}

/** Without a server between the slashes, as most people write it. */
function asUri(text: string): string {
  const [, name, type] = /^([^\s:]+)(?:\s+IN)?\s+([a-z]+)$/i.exec(text) ?? [];
  return name === undefined
    ? text.replace(/^dns:\/\/([^/?]+)\/?\?/i, "dns:$1?")
    : `dns:${name}?type=${type}`;
}
