import type { SecretEcho } from "#check/secret-echo";
import { isCredentialHeader } from "#check/credential-header";
import { credentialsIn, mayBeSecret, secretsOfUrl } from "#check/credential-values";
import type { Header } from "#check/monitor";
import { holdsUrls, removed, withoutQueries } from "#check/shown-header";
import type { Exchange } from "#probes/resolve/recorder";

/** Takes secrets out of what is shown of an exchange. Text holds one byte a character (latin1), as the wire does. */
export interface Redaction {
  /** The first line of a request: its query goes. */
  requestLine(line: string): string;
  /** A header line, name and value, of either direction. */
  headerLine(line: string): string;
  /** Anything else: a body, or what is no HTTP. Lines that look like a secret header go, and so do echoes. */
  text(text: string): string;
}

/**
 * What is secret: the values of headers that carry credentials and of those that the user configured, the query and
 * the user-info of URLs. A peer may send back what it received, so these values are taken out wherever they stand: as
 * they are, percent-encoded, or cut off at the end. Another disguise that a peer gives them is not seen through. `located`
 * are the secrets of the location that were put in: they are cut wherever they are, as the agent does it.
 */
export function redaction(
  exchanges: readonly Exchange[],
  configured: readonly Header[],
  located: readonly SecretEcho[] = [],
): Redaction {
  const given = new Set(configured.map(({ key }) => key.toLowerCase()));
  const isSecret = (key: string): boolean => given.has(key) || isCredentialHeader(key);
  const echoes = echoesOf(exchanges, configured);
  const withoutEchoes = (text: string): string =>
    echoes.reduce(
      (rest, echo) => withoutTail(rest.replaceAll(echo, removed), echo),
      located.reduce((rest, echo) => echo.cut(rest), text),
    );
  const headerLine = (line: string): string => {
    const [, name, gap, value] = /^([^:]*)(:[ \t]*)(.*)$/s.exec(line) ?? [];
    if (name === undefined || gap === undefined || value === undefined) return withoutEchoes(line);
    const key = name.trim().toLowerCase();
    if (isSecret(key)) return `${name}${gap}${removed}`;
    return `${name}${gap}${withoutEchoes(holdsUrls(key) ? withoutQueries(value) : value)}`;
  };
  return {
    requestLine: (line) => withoutEchoes(withoutQueries(line)),
    headerLine,
    // A header continues in the lines that begin with a space (RFC 9112 §5.2).
    text: (text) =>
      withoutEchoes(
        text.replaceAll(/^[\w-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/gm, (header) => {
          const [name = ""] = header.split(":");
          const key = name.trim().toLowerCase();
          return isSecret(key) || holdsUrls(key) ? headerLine(header) : header;
        }),
      ),
  };
}

/** A shorter value is in every text: to take it out would hide what is there, and not the value. */
const echoCharsMin = 6;

/** Every value that a peer might send back, longest first, so that none leaves the end of another. */
function echoesOf(
  exchanges: readonly Exchange[],
  configured: readonly Header[],
): readonly string[] {
  const values = [
    ...configured.filter(({ key }) => mayBeSecret(key)).flatMap(credentials),
    ...exchanges.flatMap(secretsIn),
  ];
  const spelled = values.flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]);
  const bytes = spelled.map((value) => Buffer.from(value).toString("latin1"));
  return [...new Set(bytes)]
    .filter((value) => value.length >= echoCharsMin)
    .toSorted((a, b) => b.length - a.length);
}

function secretsIn(exchange: Exchange): readonly string[] {
  if (exchange.kind === "dns") return [];
  const { request, head } = exchange;
  const location = head?.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  const next = location === undefined ? null : URL.parse(location, request.url);
  const cookies = (head?.headers ?? []).filter(([name]) => name.toLowerCase() === "set-cookie");
  return [
    ...secretsOfUrl(request.url),
    ...(next === null ? [] : secretsOfUrl(next)),
    // What follows the first pair are attributes of the cookie.
    ...cookies.flatMap(([, value]) => credentialsIn(value.replace(/;.*/s, ""))),
    ...request.headers.filter(({ key }) => isCredentialHeader(key)).flatMap(credentials),
  ];
}

const credentials = ({ value }: Pick<Header, "value">): readonly string[] => credentialsIn(value);

/** What is shown ends somewhere, and may end in the middle of a secret. */
function withoutTail(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= echoCharsMin; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${removed}`;
  return text;
}
