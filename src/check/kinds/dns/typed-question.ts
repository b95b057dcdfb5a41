import { recordTypes } from "#check/assertion";
import { parseDnsUri } from "#check/target";
import { showHostPort } from "#network/host-port";

/**
 * A question for records of one type as people write it: `dns://shop.example?type=TXT`, `shop.example TXT`, or
 * `dig @10.0.0.53 shop.example TXT`. Gives the fields of a form, with a rule for the type; null for anything else.
 */
export function typedQuestion(text: string): ReadonlyMap<string, string> | null {
  const read = parseDnsUri(asUri(text));
  if (!read.ok) return null;
  const { name, types, server } = read.value;
  const record = recordTypes.find((one) => one === types[0]);
  if (record === undefined || types.length > 1) return null;
  const at = server === null ? "" : showHostPort(server.host, server.port).replace(/:53$/, "");
  return new Map([
    ["uri", at === "" ? name : `dns:${name}?server=${at}`],
    [recordField, record],
  ]);
}

/** The first rule's type. */
export const recordField = "record_assertions[0].record";

/** Without a server between the slashes, as most people write it. */
function asUri(text: string): string {
  const [, server, name, type] =
    /^(?:dig\s+)?(?:@(\S+)\s+)?([^\s:]+)(?:\s+IN)?\s+([a-z]+)$/i.exec(text) ?? [];
  if (name === undefined) return text.replace(/^dns:\/\/([^/?]+)\/?\?/i, "dns:$1?");
  return `dns:${name}?type=${type}${server === undefined ? "" : `&server=${server}`}`;
}
