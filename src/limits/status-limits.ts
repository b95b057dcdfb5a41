import { hours, type Millis } from "#units";

/* Status pages. */

/** Pages of a company and its products; past them a script runs away. */
export const statusPagesMax = 1_000;
/** A reader does not scroll further; a page of so many is some 100 KB. */
export const pageComponentsMax = 500;
export const pageGroupsMax = 100;
/** Domains, or address ranges, that may see a page. */
export const pageAccessEntriesMax = 100;
/** From the contract. */
export const pageIconCharsMax = 1_024;
/** An update is read on a phone; what is longer belongs in a post-mortem elsewhere. */
export const reportMessageCharsMax = 8_192;
/** How far back a page shows reports and maintenance: two weeks, as people look for "last week". */
export const reportsShownFor: Millis = hours(24 * 14);
/** Maintenance of one page that it is shown from; the latest are kept. */
export const maintenancesShownMax = 100;
/** Updates of one report: one every quarter of an hour for two days. */
export const reportUpdatesMax = 200;
