import { queryTypes, type QueryType } from "#check/assertion";
import * as limits from "#limits/check-limits";
import { holdsReference } from "#check/secret-placeholder";
import type { DnsTarget, TcpTarget } from "#check/monitor";
import { parseDomainName, parseHostPort, parseNameServer } from "#network/host-port";
import { parsed, type ParseResult, refused } from "#network/parsed";

/** `http://…` or `https://…`, as the WHATWG URL Standard reads it; the fragment is dropped. */
export function parseHttpUrl(text: string): ParseResult<URL> {
  if (text === "") return refused("is required");
  if (text.length > limits.targetCharsMax)
    return refused(`is longer than ${limits.targetCharsMax} characters`);
  if (hasControlOrSpace(text)) return refused(blanks);
  const url = URL.parse(text);
  if (url === null)
    return refused(
      holdsReference(text)
        ? "names a secret in its scheme, host or port: a secret may be in the user-info, the path and the query"
        : lacksScheme(text)
          ? "must begin with http:// or https://, for example https://example.com"
          : "is not a valid URL",
    );
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refused("must begin with http:// or https://");
  if (url.port === "0") return refused("has port 0");
  url.hash = "";
  return parsed(url);
}

const blanks =
  "has a space or a control character in it: take it out, or write a space of the address as %20, for example https://example.com/my%20page";

/** `shop.example/health`: what a person reads in their browser, which leaves the scheme out. */
const lacksScheme = (text: string): boolean =>
  !text.includes("://") && URL.canParse(`https://${text}`);

/** `host:port`, `tcp://host:port`, `[v6]:port`. */
export function parseTcpUri(text: string): ParseResult<TcpTarget> {
  if (text === "") return refused("is required");
  if (text.length > limits.targetCharsMax)
    return refused(`is longer than ${limits.targetCharsMax} characters`);
  const parts = parseHostPort(text.replace(/^tcp:\/\//i, "").replace(/\/$/, ""));
  return parts.ok ? parsed({ kind: "tcp", ...parts.value }) : parts;
}

/** A domain name, `dns:name?type=MX&server=host:port`, or `dns://server/name?type=MX` (RFC 4501). */
export function parseDnsUri(text: string): ParseResult<DnsTarget> {
  if (text === "") return refused("is required");
  if (text.length > limits.targetCharsMax)
    return refused(`is longer than ${limits.targetCharsMax} characters`);
  const uri = /^dns:(?:\/\/([^/?]*)\/)?([^/?]*)(?:\?(.*))?$/i.exec(text);
  const query = new URLSearchParams(uri?.[3] ?? "");
  // What is not known may be a secret: it is not quoted.
  if ([...query.keys()].some((key) => key !== "type" && key !== "server"))
    return refused("has a parameter other than type and server");
  const name = parseDomainName(uri === null ? text : (uri[2] ?? ""));
  if (!name.ok) return name;
  const types = parseQueryTypes(query.getAll("type"));
  if (!types.ok) return types;
  const authority = query.get("server") ?? uri?.[1] ?? "";
  const asked = { kind: "dns", name: name.value, types: types.value, recordsNeeded: true } as const;
  if (authority === "") return parsed({ ...asked, server: null });
  const server = parseNameServer(authority);
  if (!server.ok) return refused(`names a server that ${server.message}`);
  return parsed({ ...asked, server: server.value });
}

function parseQueryTypes(values: readonly string[]): ParseResult<readonly QueryType[]> {
  const types: QueryType[] = [];
  for (const value of values.flatMap((text) => text.split(","))) {
    const type = queryTypes.find((known) => known === value.toUpperCase());
    if (type === undefined) return refused(`asks for a type other than ${queryTypes.join(", ")}`);
    if (!types.includes(type)) types.push(type);
  }
  return parsed(types);
}

/** A URL as it may be shown: without user-info, query and fragment. */
export function showUrl(url: string): string {
  const parts = URL.parse(url);
  return parts === null ? "(invalid URL)" : showParsedUrl(parts);
}

/** The same for a field that a tool compares: as it was written, unless something has to be left out. */
export function openUrl(url: string): string {
  if (!/[?#@]/.test(url)) return url;
  const parts = URL.parse(url);
  return parts === null || parts.host === "" ? "" : showParsedUrl(parts);
}

export const showParsedUrl = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname}`;

// eslint-disable-next-line no-control-regex -- these are the characters looked for.
const hasControlOrSpace = (text: string): boolean => /[\x00-\x20\x7f]/.test(text);
