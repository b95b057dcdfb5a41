import { isIP } from "node:net";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { typedRows } from "#service/operator/forms/form-rows";
import { curlRequest } from "#service/operator/monitors/curl-command";

/** The fields that a pasted text says. */
interface PastedMonitor {
  readonly kind: Kind;
  /** By the names of the form's fields. */
  readonly fields: ReadonlyMap<string, string>;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  /** Null: it says nothing of redirects. */
  readonly followRedirects: boolean | null;
}

/** What a person pasted: an address, host:port, or a curl command. Null for anything else. */
export function pastedMonitor(pasted: string): PastedMonitor | null {
  const text = pasted.trim();
  if (/^curl\s/.test(text)) return ofCurl(text);
  if (text === "" || /\s/.test(text)) return null;
  const kind = kinds.find((one) => kindTable[one].typed.scheme.test(text));
  if (kind !== undefined) return ofScheme(kind, text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return null;
  if (/^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(text)) return plain("tcp", "uri", text);
  if (isIP(text) !== 0) return plain("icmp", "uri", text);
  if (/^[\w-]+(?:\.[\w-]+)*\.?(?:[/?].*)?$/u.test(text))
    return plain("http", "url", `https://${text}`);
  return null;
}

const plain = (kind: Kind, field: string, value: string): PastedMonitor => ({
  kind,
  fields: new Map([[field, value]]),
  headers: [],
  followRedirects: null,
});

function ofScheme(kind: Kind, text: string): PastedMonitor {
  switch (kind) {
    case "http":
      return plain(kind, "url", text);
    case "dns":
      return plain(kind, "uri", text.includes("?") ? text : text.replace(/^dns:(?:\/\/)?/i, ""));
    case "tcp":
    case "icmp":
      return plain(kind, "uri", text.replace(/^[a-z]+:(?:\/\/)?/i, "").replace(/\/$/, ""));
    case "grpc":
      return ofCall(text);
  }
}

/** `grpc://host:port/service` speaks no TLS and `grpcs://host:port/service` does. */
function ofCall(text: string): PastedMonitor {
  const [, secure = "", uri = "", service = ""] =
    /^grpc(s?):(?:\/\/)?([^/]*)\/?(.*)$/is.exec(text) ?? [];
  const fields = new Map([
    ["uri", uri],
    ["service", service],
    ["tls_mode", secure === "" ? "plaintext" : "tls"],
  ]);
  return { kind: "grpc", fields, headers: [], followRedirects: null };
}

function ofCurl(command: string): PastedMonitor | null {
  const request = curlRequest(command);
  if (request === null) return null;
  const { url, method, body, timeout, headers, followRedirects } = request;
  const fields = new Map([
    ["url", url],
    ["method", method],
    ["body", body],
    ...(timeout === null ? [] : [["timeout", String(timeout)] as const]),
  ]);
  return { kind: "http", fields, headers, followRedirects };
}

/** A form with what was pasted in its fields, over what is there. */
export function withPasted(typed: URLSearchParams, pasted: PastedMonitor): URLSearchParams {
  const after =
    pasted.headers.length === 0
      ? new URLSearchParams(typed)
      : typedRows(typed, "headers", pasted.headers);
  for (const [name, value] of pasted.fields) after.set(name, value);
  if (pasted.followRedirects === true) after.set("follow_redirects", "yes");
  if (pasted.followRedirects === false) after.delete("follow_redirects");
  return after;
}
