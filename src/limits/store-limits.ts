import {
  type Bytes,
  hours,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";

/* The limits of the store and their reasons. */

/** In addition to all that is not well, one result in this many keeps its detail: what is usual can be looked at. */
export const detailsKeptOneIn = 100;
/** Failures have 53 codes in at most a dozen phases each; other agents may have some more. */
export const failureWordsMax = 2_000;
export const failureWordCharsMax = 128;
/** The agent skips a slot to which it comes later than this: what starts later is made up for, after a start of the agent. */
export const startsWithSlotWithin: Millis = seconds(5);
/** A check starts five seconds after its slot at most; the clocks of an agent and its thread differ by less than the rest. */
export const startedAfterSlotMax: Millis = minutes(1);
/** Monitors that one question of the store names: as many as a page of a report shows, and a whole small service. */
export const monitorsNamedMax = 1_000;
/** The latencies of so many monitors are looked up one by one; those of more are a range, in which all monitors lie. */
export const daysLookedUpMax = 256;
/** Of the monitors of a range that is read, so many may be others: with more, each that is asked for is looked up. */
export const othersInRangeShareMax = 0.25;
/** Results that one chart adds up: two weeks at three locations at a minute; a reader waits a quarter of a second for them. */
export const stretchedResultsMax = 60_000;
/** Hours or days that are looked up whether or not there are rows: a quarter of hours of one monitor, and an hour at its ends. */
export const bucketsNamedMax = 2_200;
/** The same of however many monitors, a bucket after the other: a year of days. */
export const bucketsTriedMax = 400;
/** Those that one statement of SQLite looks up: a month of `daysLookedUpMax` monitors, filled up to 64 days. */
export const bucketsAskedAtOnce: number = 64 * daysLookedUpMax;
/** Stretches without measurement that a page lists: a week of a link that fails twice a day. */
export const gapsShownMax = 20;
/** A page that begins further in is found by a cursor. */
export const resultsSkippedMax = 10_000;
/** Two weeks of a monitor at 30 s are 40,320; whoever reports every second what should come twice a minute stops here. */
export const resultsKeptPerSeries = 200_000;
/** Series that a portion of forgetting looks at, with one statement; most have nothing to forget. */
export const forgetSeriesAtOnce = 256;
/** Series of which a portion forgets something, by six statements each. Results of theirs wait meanwhile, and a statement takes 20 ms where PostgreSQL is busy. */
export const forgetChangedAtOnce = 14;
/** As many results in a row as a policy can ask for, and a few more. */
export const recentStatusesMax = 16;
/** How far back the beginning of a trouble is looked for: at a period of 30 s that is 2,880 results. */
export const turnLookedBack: Millis = hours(24);
/** What waits for one channel is seen up to here at one time; the rest follows. */
export const deliveriesAtOnce = 1_000;
/** Channels that one look sends to at the same time. */
export const channelsAtOnce = 100;
/** Incidents, deliveries and silences that one question gives. */
export const alertsReadMax = 1_000;
/** Comments of one incident: whoever writes more is a program. */
export const commentsPerIncidentMax = 500;
/** Reports that one page shows: those that are open, and those of the last weeks. */
export const reportsShownMax = 200;
/** A replica that has not reported for so long is forgotten. */
export const replicasKeptFor: Millis = minutes(10);
/** Writes that wait share a transaction for so long: long compared with a wait for the disk, short for the caller that waits. */
export const storeTransactionMax: Millis = millis(20);
/** With less room than this on the disk, /healthz says so before a batch fails: 500 results and the journal's pages. */
export const storeRoomMin: Bytes = kibibytes(512);
/** As many as a service has connections, and again as many for what it does by itself. */
export const storeCallsWaitingMax = 10_000;
/** What the connection that writes keeps of the file in memory: the pages that the next batch changes again. */
export const storeWriterCacheKibibytes = 16_384;
/** A question reads few pages twice, and the system keeps the file's pages, too. */
export const storeReaderCacheKibibytes = 4_096;
/** The journal goes into the file after so many pages: 16 MB, so that a page is copied once for many results in it. */
export const storeJournalPages = 4_096;
export const storeJournalBytesMax = 67_108_864;

/** A replica's connections; a PostgreSQL has 100 in all unless it was given more. */
export const postgresConnectionsMax = 10;
/** A server that is there answers a connection within this, also from another continent. */
export const postgresConnectTimeout: Millis = millis(5_000);
/** The longest statement forgets a portion or makes a partition; past this it waits for something. */
export const postgresQueryTimeout: Millis = millis(15_000);
export const postgresLockTimeout: Millis = millis(5_000);
/** What a replica that was cut off holds is free after this: within the time in which its work is taken over. */
export const postgresIdleTimeout: Millis = millis(10_000);
/** A session by which a replica is seen looks so often whether it is there still: a pooler may have replaced it. */
export const sessionCheckedEvery: Millis = seconds(2);
/** The server asks the machine of a session that is silent this often, and gives up after so many: within 12 s, as its leases end. */
export const sessionProbedEvery: Millis = seconds(3);
export const sessionProbesMissed = 3;
/** The system asks a database server that is silent after this, and each second then: its machine counts as gone within 20 s. */
export const serverProbedAfter: Millis = seconds(10);
/** The server looks so often, in a statement that takes long, whether who asked is there still. */
export const clientLookedForEvery: Millis = seconds(2);
/** A replica that starts waits so long for another one that gives the database its shape: it copies some hundred million results meanwhile. */
export const otherStartMax: Millis = hours(1);
/** A transaction that stood in another's way is done again at once; three that fail have another reason. */
export const postgresAttemptsMax = 4;
/** Other replicas notice a change this soon: a person does not see the delay, and a thousand results are one message. */
export const changesSentEvery: Millis = millis(100);
/** An index of PostgreSQL is repaired while the service runs: if no call meets damage for so long, that was done. */
export const damageKnownFor: Millis = minutes(10);
/** Where replicas cannot hear each other, they look this often. */
export const changesLookEvery: Millis = millis(2_000);
/** Days of results that are made ahead: as long as every replica may be away without rows going to the wrong place. */
export const partitionDaysAhead = 3;
/** A backlog comes from as far back as results are kept. */
export const partitionDaysBack = 14;

/** On a cluster: shards move while the service runs, and until it is noticed a batch spans two workers. */
export const shardsReadEvery: Millis = seconds(10);
/** A worker that is away is tried again so often: agents send its results again soon after it is back. */
export const absentWorkerTriedEvery: Millis = seconds(2);
/** Work for one worker that failed after so long was waiting for it: then others do not wait for it as well. */
export const workerSilentAfter: Millis = seconds(4);
/** A worker that works for long, or waits for a lock, answers a question that costs nothing within this. */
export const workerAnswersWithin: Millis = seconds(3);
/** Parts of a location to which results are added side by side on a cluster, a power of two: at least as many as it has shards. */
export const appendLanes = 32;
/** Shards of each worker that a new cluster begins with, and of all: each statement of a batch goes to each of them. */
export const shardsPerWorker = 4;
export const shardsMin = 8;
/** What cannot be read of a worker that is away is judged again after this. */
export const unreadJudgedAfter: Millis = seconds(5);

/** A database of the shape before is copied in portions that are a moment each. */
export const broughtOverAtOnce = 1_000;
/** Some seconds of copying: a person sees that it progresses. */
export const migrationReportedEvery = 100_000;
/** Another process, such as `picket service key`, holds the database for moments only; only a start and a command wait. */
export const databaseBusyTimeout: Millis = seconds(2);
/** Rows forgotten in one go: calls are answered in between, however much is old. */
export const forgetRowsAtOnce = 1_000;
/** As many monitors as a service may have; of everything else there are fewer. */
export const estateRowsMax = 100_000;

/**
 * Changes of a location that agents are sent one by one, some 100 bytes of the database each. An agent that missed more
 * is sent the whole, as is one that was away for long.
 */
export const assignmentChangesMax = 1_000;

/** When a key was last used is written down this often, however often that is: a person asks for the day. */
export const keyUseNotedEvery: Millis = minutes(1);

/* The log of changes */

/** A text that people wrote is whole up to here; of a longer one the log has the beginning and a digest. */
export const auditValueCharsMax = 1_000;
/** Members that came or went, of one field of an entry: as many as a person reads. */
export const setMembersRecordedMax = 100;
/** Monitors, and locations, that a silence is called by: as many as one line has room for. */
export const silencedNamed = 3;
/** Entries that one question reads: a few pages of them. */
export const auditReadMax = 1_000;
/** Parts that are gone, and the newest entries of the page of each, that are searched for their names: 10 ms on SQLite. */
export const gonePartsNamed = 20;
export const gonePartEntriesMax = 1_000;
/** Entries of releases without a chain that one change continues the chain over: some 100 ms, and the next continues. */
export const auditChainedAtOnce = 200;
/** Some 600 bytes each: a year of 2,700 changes a day takes 600 MB. */
export const auditEntriesMax = 1_000_000;

/** Deleted objects that are purged in one transaction: others are served in between. */
export const purgedAtOnce = 100;

/* Results that are packed */

/** Results in one packed hour: a monitor has 120 every hour at 30 s. What is more than this stays unpacked. */
export const packedResultsMax = 4_096;
/** Times of one result: 12 are known, seven phases and what follows them. */
export const packedTimesMax = 32;
/** Hours that one question unpacks at once, about 1 KB each: a portion is some ms. */
export const hoursUnpackedAtOnce = 64;
/** Unpacked results that one question reads at once, of one series. */
export const resultsWalkedAtOnce = 4_096;
/** Results that are read at once where most often one of the first is what is looked for: an hour of a monitor. */
export const resultsLookedAtFirst = 128;
/** Hours whose failed checks one question of downtime reads: a week of a location; of an outage without breaks it is two. */
export const downtimeHoursWalked: number = 24 * 7;
/** Series that a portion of packing looks at, with one statement; between two rounds most have an hour to pack. */
export const packSeriesAtOnce = 64;
/** Hours of series that one transaction packs: about 30 ms, in which other results of their locations wait. */
export const packHoursAtOnce = 16;
/** Spans of details that one transaction packs: to compress one of a monitor at 30 s takes 20 ms, the largest 80 ms. */
export const packSpansAtOnce = 2;
/** Details that one row packs together: of eight hours, a monitor that fails at 30 s has 960. What is more stays unpacked. */
export const packedDetailsMax = 4_096;
/** And so many bytes before they are packed: to read one, all are inflated, which takes some ms. */
export const packedDetailsBytesMax: Bytes = mebibytes(4);
/** A report with a body has more, and would be inflated with each of the others. */
export const packedDetailBytesMax: Bytes = kibibytes(16);
/** Spans that are known not to fit, a megabyte of them: more come only of details that are late, and are tried again. */
export const oversizedSpansKnownMax = 10_000;
/** Rows that cannot be read are each said once, up to here: whoever has more of them has read enough. */
export const damagedRowsSaidMax = 1_000;
/** Packed hours that are forgotten in one go: as many results as `forgetRowsAtOnce`, at 30 s, and more. */
export const forgetHoursAtOnce = 24;
/** Packed hours of one series that are counted: two months of them, some times as long as results are kept. */
export const hoursPerSeriesMax = 1_500;
/** A day of PostgreSQL that was emptied takes less than this; one that has more, and no rows, is emptied. */
export const emptyDayBytesMax = 65_536;
/** The emptying of a day waits for whoever reads it for so long, and for as long others wait for it. */
export const emptyDayLockTimeout: Millis = millis(200);
/** A day that is vacuumed is empty at once; one that is not is read from end to end, while others wait for it. */
export const emptyDayStatementTimeout: Millis = millis(300);
/** Times of one planned work that were replaced by others: each is read with every status page that shows it. */
export const earlierPlansMax = 50;
/** Times of one planned work whose end was moved: every day of the months that a status page shows. */
export const movedEndsMax = 100;
