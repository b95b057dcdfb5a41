/**
 * A page's own domain in what people paste: `https://status.acme.example/` is `status.acme.example`. A port and a path stay,
 * and are refused.
 */
export const domainTyped = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");

/** Why a text is no domain of a page, if its port or its path is all that is too much; the rule itself otherwise. */
export function domainRefusal(text: string): string {
  const [, host = "", port = "", path = ""] = /^([a-z0-9.-]+)(:\d+)?([/?#].+)?$/i.exec(text) ?? [];
  if (port !== "")
    return `must be a host name without a port: leave out ${port}, for example ${host}`;
  if (path !== "")
    return `must be a host name without a path, as the page is at the root of its domain: leave out ${path}, for example ${host}`;
  return "must be a host name without scheme, path and www., for example status.acme.example";
}
