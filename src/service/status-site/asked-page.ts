import type { IncomingMessage } from "node:http";
import { lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { PageReaders } from "#service/status-site/news/page-readers";
import { hostIn } from "#service/status-site/own-domains";
import { type AddressedPage, pageAddress, pagesPrefix } from "#service/status-site/page-address";
import type { PageRoute } from "#service/status-site/page-path";
import type { PageNames, PublishedPage } from "#service/status-site/published-pages";

/** Who is asked for: a page, and where it is. */
export interface PageAddress {
  readonly id: number;
  readonly base: string;
  readonly path: string;
  /** By a name that it had before, on the service's own host or by a domain; null: by its name of now. */
  readonly former: "slug" | "domain" | null;
}

/** "none": it is no status page that is asked for; "missing": there is none of this name that is published. */
export function askedPage(
  request: IncomingMessage,
  { pathname }: URL,
  names: PageNames,
): PageAddress | "none" | "missing" {
  const host = hostIn(request);
  const own = names.domains.get(host) ?? names.formerDomains.get(host);
  if (own !== undefined) {
    const former = names.domains.has(host) ? null : "domain";
    const path = pathname === "/" ? "" : pathname;
    return names.shown.has(own) ? { id: own, base: "", path, former } : "missing";
  }
  if (!pathname.startsWith(pagesPrefix)) return "none";
  const [asked = "", ...rest] = pathname.slice(pagesPrefix.length).split("/");
  const slug = asked.toLowerCase();
  const id = names.slugs.get(slug) ?? names.formerSlugs.get(slug);
  if (id === undefined || !names.shown.has(id)) return "missing";
  const path = rest.join("/");
  return {
    id,
    base: `${pagesPrefix}${slug}`,
    path: path === "" ? "" : `/${path}`,
    former: names.slugs.has(slug) ? null : "slug",
  };
}

/** The page of this address, by a slug that it has now, if it is not published. Its domain leads nowhere yet. */
export function draftAt({ pathname }: URL, names: PageNames): number | null {
  if (!pathname.startsWith(pagesPrefix)) return null;
  const [slug = ""] = pathname.slice(pagesPrefix.length).split("/");
  const id = names.slugs.get(slug.toLowerCase());
  return id === undefined || names.shown.has(id) ? null : id;
}

/** A link of a letter finds the page that it was sent from, whatever is at its address by now. */
export async function pageOfLink(
  asked: Exclude<ReturnType<typeof askedPage>, "none">,
  { pathname }: URL,
  names: PageNames,
  readers: Pick<PageReaders, "links" | "get">,
): Promise<PageAddress | "missing"> {
  const [, slug, path = "", act, token = ""] = letterPath.exec(pathname) ?? [];
  if (act === undefined) return asked;
  const { links } = readers;
  const subscriber = act === "verify" ? links.readVerify(token)?.id : links.readOwn(token);
  const row = typeof subscriber === "number" ? await readers.get(subscriber) : null;
  if (row === null || !names.shown.has(row.page)) return asked;
  if (asked !== "missing" && asked.id === row.page) return asked;
  return { id: row.page, base: slug ?? "", path, former: slug === undefined ? "domain" : "slug" };
}

const letterPath =
  /^(\/status\/[^/]+)?((?:\/[a-z-]{2,5})?\/(verify|manage|unsubscribe)\/([\w.-]{1,1000}))$/;

/** Where what is asked for by a former name is now; null: it is answered where it is asked for. */
export function addressNow(
  { former, path }: PageAddress,
  page: AddressedPage,
  publicUrl: string | null,
): string | null {
  if (former === null) return null;
  const base = former === "slug" ? baseOf(page) : pageAddress(page, publicUrl);
  return base === null ? null : `${base}${path === "" && former === "domain" ? "/" : path}`;
}

export const baseOf = ({ definition }: AddressedPage): string => `${pagesPrefix}${definition.slug}`;

/** A POST of RFC 8058 ends a subscription at once: programs that send mail do not follow it elsewhere. */
export const isAnsweredAnywhere = (route: PageRoute, { method }: IncomingMessage): boolean =>
  method === "POST" && route.kind === "news" && route.token !== "";

/** Kept by nothing: the name may be the page's again, or that of another one. */
export function movedAnswer(
  { method }: IncomingMessage,
  location: string,
  { access }: PublishedPage["facts"]["definition"],
): PageAnswer {
  const isRead = method === "GET" || method === "HEAD";
  return lineAnswer(isRead ? 301 : 308, `See ${location}`, {
    location,
    "cache-control": "no-cache",
    // Badges stand on other pages.
    ...(access === "public"
      ? { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" }
      : {}),
  });
}
