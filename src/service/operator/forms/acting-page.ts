/**
 * The page on which a form is, for a person who opens the address that the form is sent to: a browser does so at a reload,
 * or on the way back. It is the nearest page above that address.
 */
export function actingPage(pathname: string, isPage: (pathname: string) => boolean): string {
  for (let path = pathname; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const shown = listedAt.get(path) ?? path;
    if (isPage(shown)) return shown;
  }
  return "/";
}

/** Silences are listed with the maintenances, and monitors on the first page. */
const listedAt: ReadonlyMap<string, string> = new Map([
  ["/silences", "/maintenances"],
  ["/monitors", "/"],
]);
