import type { Millis } from "#base/units";

/** What a cookie of ours is called, and below which path a browser sends it. */
export interface CookieName {
  readonly name: string;
  readonly path: string;
}

/** A cookie of ours, which no script reads. */
interface OwnCookie extends CookieName {
  readonly value: string;
  readonly sameSite: "Strict" | "Lax";
  readonly length: Millis;
}

/** Its header. */
export function cookieText(cookie: OwnCookie, isSecure: boolean): string {
  const { value, path, sameSite, length } = cookie;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${length / 1000}`;
  const secure = isSecure ? "; Secure" : "";
  return `${sentName(cookie, isSecure)}=${value}; ${attributes}${secure}`;
}

/** The value of a cookie of ours in a request's header; null if it has none of the name that `cookieText` gives it. */
export function cookieIn(
  header: string | undefined,
  cookie: CookieName,
  isSecure: boolean,
): string | null {
  const beginning = `${sentName(cookie, isSecure)}=`;
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(beginning))?.slice(beginning.length) ?? null;
}

/**
 * Over TLS a browser takes a name with one of these prefixes over TLS alone (RFC 6265bis §4.1.3), so that no one on the
 * way can put theirs in its place. `__Host-` keeps out other hosts of the same domain, too, and needs the path `/`.
 * `__Secure-` does not keep them out: it is for a cookie that opens no more than what the other host can open itself.
 */
function sentName({ name, path }: CookieName, isSecure: boolean): string {
  if (!isSecure) return name;
  return path === "/" ? `__Host-${name}` : `__Secure-${name}`;
}
