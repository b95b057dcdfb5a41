import { isIP } from "node:net";
import { shownDuration } from "#base/duration";
import { recordField, typedQuestion } from "#check/kinds/dns/typed-question";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { openMark, rowCount, typedRows } from "#service/operator/forms/form-rows";
import { curlRequest, isCurl } from "#service/operator/monitors/curl-command";
import { shellWords } from "#service/operator/monitors/shell-words";
import { serverAddress } from "#service/operator/monitors/server-address";

/** The fields that a pasted text says. */
export interface PastedMonitor {
  readonly kind: Kind;
  /** By the names of the form's fields. */
  readonly fields: ReadonlyMap<string, string>;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  /** The field of the form that has them. */
  readonly headersIn: string;
  /** Null: it says nothing of redirects. */
  readonly followRedirects: boolean | null;
  /** A sentence for each part of it that is not taken over, and what to do. */
  readonly leftOut: readonly string[];
  /** What is checked of it, as a sentence; empty: what was pasted. */
  readonly note: string;
}

/** What a person pasted: an address, host:port, or or a command line. Null for anything else. */
export function pastedMonitor(pasted: string): PastedMonitor | null {
  const text = pasted.trim();
  if (isCurl(text)) return ofCurl(text);
  const asking = kindOfCommand(text);
  if (asking !== null) return ofCommand(asking, text);
  const question = typedQuestion(text);
  if (question !== null) return plain("dns", question);
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
  fields,
  headers: [],
  headersIn: "headers",
  followRedirects: null,
  leftOut: [],
  note: "",
});

const connectsOnly = "It connects to the port, and sends no user, password or query.";

function ofCurl(command: string): PastedMonitor | null {
  const request = curlRequest(command);
  if (request === null) return null;
  const { url, method, body, timeout, retry, headers, followRedirects, leftOut } = request;
  const fields = new Map([
    ["url", url],
    ["method", method],
    ["body", body],
    ...(timeout === null ? [] : [["timeout", shownDuration(timeout)] as const]),
    ...(retry === null ? [] : [["retry", String(retry)] as const]),
  ]);
  return { ...plain("http", fields), headers, followRedirects, leftOut };
}

/** Whether a text is meant as a command line, also if it is not finished. */
export const isCommand = (text: string): boolean => isCurl(text) || kindOfCommand(text) !== null;

/** The kind of monitor that does what the program of a command line does; null if the text is none, and of curl. */
function kindOfCommand(text: string): Kind | null {
  const [program] = text.split(/\s/, 1);
  return kinds.find((one) => kindTable[one].typed.command?.program === program) ?? null;
}

function ofCommand(kind: Kind, text: string): PastedMonitor | null {
  const [, ...words] = shellWords(text) ?? [];
  const target = kindTable[kind].typed.command?.read(words) ?? null;
  if (target === null) return null;
  const { fields, rows, leftOut } = target;
  return { ...plain(kind, fields), headers: rows.values, headersIn: rows.field, leftOut };
}

/** A form with what was pasted in its fields, over what is there. */
export function withPasted(typed: URLSearchParams, pasted: PastedMonitor): URLSearchParams {
  const after =
    pasted.headers.length === 0
      ? new URLSearchParams(typed)
      : typedRows(typed, pasted.headersIn, pasted.headers);
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
