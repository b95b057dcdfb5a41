import { isIP } from "node:net";
import { shownDuration } from "#base/duration";
import { recordField, typedQuestion } from "#check/kinds/dns/typed-question";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { openMark, rowCount, typedRows } from "#service/operator/forms/form-rows";
import { curlRequest, isCurl } from "#service/operator/monitors/curl-command";

/** The fields that a pasted text says. */
export interface PastedMonitor {
  readonly kind: Kind;
  /** By the names of the form's fields. */
  readonly fields: ReadonlyMap<string, string>;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  /** Null: it says nothing of redirects. */
  readonly followRedirects: boolean | null;
  /** A sentence for each part of it that is not taken over, and what to do. */
  readonly leftOut: readonly string[];
}

/** What a person pasted: an address, host:port, or a curl command. Null for anything else. */
export function pastedMonitor(pasted: string): PastedMonitor | null {
  const text = pasted.trim();
  if (isCurl(text)) return ofCurl(text);
  const question = typedQuestion(text);
  if (question !== null) return plain("dns", question);
  if (text === "" || /\s/.test(text)) return null;
  const kind = kinds.find((one) => kindTable[one].typed.scheme.test(text));
  if (kind !== undefined) return plain(kind, kindTable[kind].typed.pasted(text));
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
  followRedirects: null,
  leftOut: [],
});

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
  return { kind: "http", fields, headers, followRedirects, leftOut };
}

/** A form with what was pasted in its fields, over what is there. */
export function withPasted(typed: URLSearchParams, pasted: PastedMonitor): URLSearchParams {
  const after =
    pasted.headers.length === 0
      ? new URLSearchParams(typed)
      : typedRows(typed, "headers", pasted.headers);
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
