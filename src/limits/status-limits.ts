import { hours, type Millis, seconds } from "#units";

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
/** Windows of one maintenance in so many days as a page shows, and in the weeks to come: one each night. */
export const maintenanceWindowsMax = 150;
/** What is planned for later than this is shown by its next window alone. */
export const maintenanceShownAhead: Millis = hours(24 * 31);
/** A page is taken anew after this; a reader does not see a change sooner by hand. */
export const statusPageFreshFor: Millis = seconds(10);
/** Past this it is not shown once more, but waited for. */
export const statusPageStaleFor: Millis = seconds(60);
/** Pages in memory: a page of 50 components is some 200 KB of facts, and as much again of what is made of them. */
export const statusPagesKeptMax = 100;
/** Documents of one page in memory: its views in six languages, its feeds, and badges of each component. */
export const statusDocumentsMax = 500;
/** How long a reader who gave the password of a page is let in. */
export const statusSessionLength: Millis = hours(30 * 24);
/** Updates of one report: one every quarter of an hour for two days. */
export const reportUpdatesMax = 200;
