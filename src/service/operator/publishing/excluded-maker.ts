import { parseBlock, writtenAddress } from "#network/address-block";
import type { FormNotice } from "#service/operator/form-notice";
import type { PageDefinition } from "#service/status-page/page-definition";
import { isAmong } from "#web/reader-address";

/** Whether a page is for networks that have not this address, as the service sees it. */
function excludes(
  { access, addressRanges }: Pick<PageDefinition, "access" | "addressRanges">,
  address: string,
): boolean {
  if (access !== "ip-restriction" || writtenAddress(address) === null) return false;
  const ranges = addressRanges.flatMap((one) => parseBlock(one.trim()) ?? []);
  return !isAmong(address, ranges);
}

/**
 * After the access was saved by someone whose address may not read the page; null if it may. The address is that of the
 * request: one that a link says would be believed, and added.
 */
export function excludedNotice(page: PageDefinition, address: string): FormNotice | null {
  if (!excludes(page, address)) return null;
  const words = `Saved, but your address, as the service sees it, is ${address}, and no network of the page has it: you cannot read the page from there. To read it, add ${address} to the networks.`;
  return { words, isFault: false, isDoubtful: true };
}
