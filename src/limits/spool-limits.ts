import { bytes, type Bytes, kibibytes, mebibytes, type Millis, seconds } from "#base/units";

/* Results that are not yet sent to the service. */

/* In memory */

/** The spool in memory, when there is no disk: about an hour of 300 results a second would be more than 1 GB. */
export const memorySpoolResultsMax = 20_000;
/** As bytes: a thousand results with full bodies of 64 KiB, in a container of a few hundred MiB. */
export const memorySpoolBytesMax: Bytes = mebibytes(64);

/* On disk */

/** How often results are made durable: what a kill -9 can cost in addition to a crossing, and how many share one fsync. */
export const spoolSaveEvery: Millis = seconds(1);
/** What a result takes in the file in addition to its payload: ids, both indexes, pages that are not full. Measured: 270. */
export const spoolRowBytes: Bytes = bytes(320);
/** A page of the file, as SQLite has it by default. */
export const spoolPageBytes: Bytes = kibibytes(4);
/** The file may be this much larger than its rows are counted, before the database itself says that it is full. */
export const spoolFileShareMax = 2;
export const spoolFileBytesMin: Bytes = mebibytes(4);
/** SQLite's journal is cut back to this after it grew: as long as it gets in ordinary use (1,000 pages). */
export const spoolJournalBytesMax: Bytes = mebibytes(4);
/** Free pages past this, 8 MiB, go back to the file system, so many at a time: 2 MiB a second cost nothing. */
export const spoolFreePagesMax = 2_048;
export const spoolShrinkPages = 512;
/** Settled rows that wait for the next save are passed over by every read; more than this are deleted at once. */
export const spoolSettledMax = 2_000;

/* A disk that fails */

/** A disk that fails is tried again after this; meanwhile memory has room for it. */
export const spoolRetryPause: Millis = seconds(10);
/** Files set aside hold results that a person may want; a fault that comes back may not fill the disk with them. */
export const spoolsAsideMax = 3;
