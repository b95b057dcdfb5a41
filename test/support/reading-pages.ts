import type { Office } from "../service/alerts/alerted-office.ts";

/** Reads the words of pages as a person who signed in by the office's key. */
export async function reading(office: Office): Promise<(path: string) => Promise<string>> {
  const read = await readingMarkup(office);
  return async (path) => (await read(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

/** The same with its markup. */
export async function readingMarkup({
  service,
  key,
}: Office): Promise<(path: string) => Promise<string>> {
  const answer = await fetch(`${service.url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ secret: key, next: "/" }),
    headers: { accept: "text/html" },
    redirect: "manual",
  });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return async (path) => {
    const page = await fetch(`${service.url}${path}`, { headers: { accept: "text/html", cookie } });
    return page.text();
  };
}
