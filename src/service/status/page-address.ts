import type { PageDefinition } from "#status/page-definition";

/** A page's address without a slash at its end, as mails and links from elsewhere need it; null where none is known. */
export function pageAddress(
  { customDomain, slug }: Pick<PageDefinition, "customDomain" | "slug">,
  publicUrl: string | null,
): string | null {
  if (customDomain !== "") return `https://${customDomain}`;
  return publicUrl === null ? null : `${publicUrl.replace(/\/$/, "")}${pagesPrefix}${slug}`;
}

export const pagesPrefix = "/status/";
