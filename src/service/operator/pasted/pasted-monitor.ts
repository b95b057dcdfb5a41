import { isIP } from "node:net";
import { recordField, typeNote } from "#check/kinds/dns/asked-question";
import { typeAsked, typedQuestion } from "#check/kinds/dns/typed-question";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { openMark, rowCount, typedRows } from "#service/operator/forms/form-rows";
import { pastedCommand } from "#service/operator/pasted/pasted-command";
import type { PastedMonitor } from "#service/operator/pasted/pasted-fields";
import { serverAddress } from "#service/operator/pasted/server-address";

/** What a person pasted: an address, host:port, or a command line. Null for anything else. */
export function pastedMonitor(pasted: string): PastedMonitor | null {
  const text = pasted.trim();
  const command = pastedCommand(text);
  if (command !== null) return "fault" in command ? null : command;
  const question = typedQuestion(text);
  if (question !== null) return { ...plain("dns", question), note: typeNote(typeAsked(text)) };
  if (text === "" || /\s/.test(text)) return null;
  const kind = kinds.find((one) => kindTable[one].typed.scheme.test(text));
  if (kind !== undefined) return plain(kind, kindTable[kind].typed.pasted(text));
  const server = serverAddress(text);
  if (server !== null) return { ...plain("tcp", new Map([["uri", server]])), note: connectsOnly };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null;
  if (/^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(text))
    return plain("tcp", new Map([["uri", text]]));
  const port = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})[/?]/i.exec(text)?.[1];
  if (port !== undefined) return plain("http", new Map([["url", `${schemeAt(port)}://${text}`]]));
  if (isIP(text) !== 0) return plain("icmp", new Map([["uri", text]]));
  if (/^[\w-]+(?:\.[\w-]+)*\.?(?:[/?].*)?$/u.test(text))
    return plain("http", new Map([["url", `https://${text}`]]));
  return null;
}

/** At another port than these, most servers of an own network speak plain HTTP. */
const schemeAt = (port: string): string => (["443", "8443"].includes(port) ? "https" : "http");

const plain = (kind: Kind, fields: ReadonlyMap<string, string>): PastedMonitor => ({
  kind,
  program: "",
  fields,
  rows: [],
  followRedirects: null,
  leftOut: [],
  note: "",
});

const connectsOnly = "It connects to the port, and sends no user, password or query.";

/** A form with what was pasted in its fields, over what is there. */
export function withPasted(typed: URLSearchParams, pasted: PastedMonitor): URLSearchParams {
  let after = new URLSearchParams(typed);
  for (const { field, values } of pasted.rows)
    if (values.length > 0) after = typedRows(after, field, values);
  const hasRules = rowCount(typed, "record_assertions") > 0;
  for (const [name, value] of pasted.fields)
    if (name !== recordField || !hasRules) after.set(name, value);
  if (pasted.fields.has(recordField)) {
    // Its group is opened: its value is still to be typed, and that alone.
    after.append(openMark, "record_assertions");
    if (!hasRules) after.set("record_assertions[0].comparator", "eq");
  }
  if (pasted.followRedirects === true) after.set("follow_redirects", "yes");
  if (pasted.followRedirects === false) after.delete("follow_redirects");
  return after;
}
