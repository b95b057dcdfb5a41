import { percentDecoded } from "#base/text";

/* What in a request is a credential, as each part of it that a peer may send back. */

/** Configured headers whose values say nothing, and stand in most answers. */
const openHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "host",
  "user-agent",
]);

/** Whether the value of a header that a person configured may be a secret, by the header's name. */
export const mayBeSecret = (name: string): boolean => !openHeaders.has(name.toLowerCase());

/** A header's value, what follows the scheme in it, what Basic authentication hides in that, and the values of its cookies. */
export const credentialsIn = (value: string): readonly string[] => [
  value.trim(),
  value.trim().replace(/^[\w-]+ +/, ""),
  ...basicCredentials(value),
  ...[...value.matchAll(/=\s*"?([^;"]+)/g)].map(([, cookie = ""]) => cookie),
];

/** RFC 7617: the user's name ends at the first colon. */
function basicCredentials(value: string): readonly string[] {
  const [, encoded] = /^\s*basic +([\w+/=-]+)\s*$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, "base64").toString();
  return [pair, pair.slice(pair.indexOf(":") + 1)];
}

/** The query of a URL, its values, and the user-info. */
export const secretsOfUrl = (url: URL): readonly string[] => [
  url.search.slice(1),
  ...url.search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1)),
  ...url.searchParams.values(),
  ...[url.username, url.password].flatMap((part) => [part, percentDecoded(part)]),
];
