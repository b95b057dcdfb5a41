import { ownDomain } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";

/** What a page's address is made of. */
export type AddressedPage = Pick<StatusPageRow, "definition" | "reachedBy">;

/** Whether a request has come over https by the domain that the page has now: before, it may lead nowhere. */
export const isReached = ({ definition, reachedBy }: AddressedPage): boolean =>
  reachedBy !== "" && reachedBy === ownDomain(definition);

/**
 * A page's address without a slash at its end, as mails and links from elsewhere need it; null if none is known. That is
 * its own domain once a reader has come by it, and also before if there is no other.
 */
export function pageAddress(page: AddressedPage, publicUrl: string | null): string | null {
  const { definition } = page;
  if (definition.customDomain !== "" && (publicUrl === null || isReached(page)))
    return `https://${ownDomain(definition)}`;
  return publicUrl === null
    ? null
    : `${publicUrl.replace(/\/$/, "")}${pagesPrefix}${definition.slug}`;
}

export const pagesPrefix = "/status/";
