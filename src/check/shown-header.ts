import { isCredentialHeader } from "#check/credential-header";

/** What in the fields of an HTTP message may be a secret, wherever one is shown. */

/** What stands for a secret that was taken out. */
export const removed = "[removed]";

const urlHeaders: ReadonlySet<string> = new Set([
  "content-location",
  "link",
  "location",
  "referer",
  "refresh",
]);

/** Whether a header's value holds URLs, whose queries and fragments may be secrets. The name is in lower case. */
export const holdsUrls = (name: string): boolean => urlHeaders.has(name);

/** Without user-info, queries and fragments: tokens of OAuth 2.0 come in either of these two. */
export const withoutQueries = (text: string): string =>
  text.replaceAll(/\/\/[^/\s@]*@/g, `//${removed}@`).replaceAll(/([?#])[^\s>"]+/g, `$1${removed}`);

/** The value of a field as it may be shown. */
export function shownHeader(name: string, value: string): string {
  const key = name.toLowerCase();
  if (isCredentialHeader(key)) return removed;
  return holdsUrls(key) ? withoutQueries(value) : value;
}
