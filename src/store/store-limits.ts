import { type Millis, millis, minutes } from "#units";

/* The limits of the store and their reasons; read as `storeLimits.name` (import * as storeLimits). */

/** Beside all that is not well, one result in this many keeps its detail: what is usual can be looked at. */
export const detailsKeptOneIn = 100;
/** Failures have 53 codes in at most a dozen phases each; other agents may have some more. */
export const failureWordsMax = 2_000;
export const failureWordCharsMax = 128;
/** Monitors that one question of the store names: as many as a page of a report shows, and a whole small service. */
export const monitorsAskedMax = 1_000;
/** Hours of a quarter of one monitor at three locations, or two years of days of a hundred: some MB. */
export const bucketsAskedMax = 80_000;
/** A page that begins further in is found by a cursor. */
export const resultsSkippedMax = 10_000;
/** Two weeks of a monitor at 30 s are 40,320; whoever reports every second what should come twice a minute stops here. */
export const resultsKeptPerSeries = 200_000;
/** Series that a portion of forgetting looks at; most have nothing to forget. */
export const forgetSeriesAtOnce = 256;
/** A replica that was not heard of for so long is forgotten. */
export const replicasKeptFor: Millis = minutes(10);
/** Writes that wait share a transaction for so long: long beside a wait for the disk, short for who waits. */
export const storeTransactionMax: Millis = millis(20);
/** As many as a service has connections, and again as many for what it does by itself. */
export const storeCallsWaitingMax = 10_000;
/** What each of the store's connections keeps of the file in memory. */
export const storeCacheKibibytes = 16_384;
/** The journal goes into the file after so many pages: 16 MB, so that a page is copied once for many results in it. */
export const storeJournalPages = 4_096;
export const storeJournalBytesMax = 67_108_864;
