import { ownDomain, type PageDefinition } from "#service/status-page/page-definition";

/** A page's address without a slash at its end, as mails and links from elsewhere need it; null if none is known. */
export function pageAddress(
  page: Pick<PageDefinition, "customDomain" | "slug">,
  publicUrl: string | null,
): string | null {
  if (page.customDomain !== "") return `https://${ownDomain(page)}`;
  return publicUrl === null ? null : `${publicUrl.replace(/\/$/, "")}${pagesPrefix}${page.slug}`;
}

export const pagesPrefix = "/status/";
