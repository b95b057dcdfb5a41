/**
 * The path and query of an address that a request names, if a browser that is led there stays with us; null if not. It is
 * judged as the browser will read it: `/./\evil`, `/a/..//evil` and `/%2e//evil` all become `//evil`, which is another
 * host.
 */
export function ownPath(wanted: string): Pick<URL, "pathname" | "search"> | null {
  if (!wanted.startsWith("/")) return null;
  const url = URL.parse(wanted, base);
  if (url === null || url.origin !== base || url.pathname.startsWith("//")) return null;
  return url;
}

const base = "http://service.invalid";
