import type { Millis } from "#units";

/** A cookie of ours, which no script reads. */
interface OwnCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: "Strict" | "Lax";
  readonly length: Millis;
}

/**
 * Its header. Over TLS its name begins so that a browser takes it from this very host alone, and never over plain http
 * (RFC 6265bis §4.1.3): neither a neighbour's page nor whoever is on the way can put one of theirs in its place.
 */
export function cookieText(cookie: OwnCookie, isSecure: boolean): string {
  const { name, value, path, sameSite, length } = cookie;
  const prefix = path === "/" ? wholeHost : onlyTls;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${length / 1000}`;
  return isSecure
    ? `${prefix}${name}=${value}; ${attributes}; Secure`
    : `${name}=${value}; ${attributes}`;
}

/** The value of a cookie of ours in a request's header; null if it has none of the name that `cookieText` gives it. */
export function cookieIn(
  header: string | undefined,
  name: string,
  isSecure: boolean,
): string | null {
  const names = isSecure ? [`${wholeHost}${name}=`, `${onlyTls}${name}=`] : [`${name}=`];
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const found = names.flatMap((one) => pairs.filter((pair) => pair.startsWith(one)));
  const [pair] = found;
  return pair === undefined ? null : pair.slice(pair.indexOf("=") + 1);
}

const wholeHost = "__Host-";
const onlyTls = "__Secure-";
