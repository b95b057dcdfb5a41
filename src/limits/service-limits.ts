import { type Bytes, hours, mebibytes, type Millis, millis, minutes, seconds } from "#base/units";

/* The service: its calls, what it keeps, and how it judges. */

/* What it may hold */

/** A self-hosted service is for one team; these stop a script that runs away, not a person. */
export const serviceMonitorsMax = 100_000;
/**
 * With 10,000 of them the service takes 2 to 3 % of a core at rest and 370 MB (`npm run bench:reach`), but a form for a
 * monitor offers each: a page of 2 MB. A page that searches them comes before this number may grow.
 */
export const serviceLocationsMax = 1_000;
export const serviceApiKeysMax = 1_000;
/** Tokens of one location that work at the same time: rotations whose overlaps have not passed. */
export const locationTokensMax = 10;
/** By these a person recognizes a key, and no stranger can guess it: `pkt_key_` and four characters. */
export const keyPrefixChars = 12;
/** How long an old token still works after a rotation, unless asked otherwise. */
export const tokenOverlapDefault: Millis = hours(1);
export const tokenOverlapMax: Millis = hours(7 * 24);
/** A machine that was off for a month still calls with the token that it had: the service says whose it was. */
export const endedTokensKeptFor: Millis = hours(30 * 24);
/** Of one location: whoever makes new tokens all day fills no table. */
export const endedTokensKept = 20;

/**
 * How much JavaScript's heap grows before its next full collection. Measured with ten million results: 229 MB instead of
 * 284 with as quick answers; with 50 it was 215 MB, but an answer waited for a collection for a third of a second.
 */
export const heapGrowthPercent = 100;

/* Lists */

/** From the service's specification. */
export const monitorsListMax = 100;
export const monitorsListDefault = 50;
/** Of how all monitors stand, in picket.v1: 10,000 are two answers of a megabyte each. */
export const monitorStatesListMax = 5_000;
/** Names, targets and locations of one such answer: below what an answer may have, if each is long in UTF-8 too. */
export const monitorStatesCharsMax = 10_000_000;
/** A page of results: some hundred KB, and what a person scrolls through. */
export const resultsListMax = 500;
export const resultsListDefault = 100;
/** Logs of responses as the public contract lists them. */
export const responseLogsMax = 100;
export const responseLogsDefault = 25;
export const responseLogsKeptFor: Millis = hours(14 * 24);

/* The body of a call: alone, of one caller, of all */

/** Every other call: one result with a body of 64 KiB, or one monitor with a body of 1 MiB, each character escaped. */
export const callBytesMax: Bytes = mebibytes(8);
/** The bodies that one caller has on the way at one time: two batches, or those of twenty agents of ordinary size. */
export const callerBytesMax: Bytes = mebibytes(96);
/** The bodies of all callers at one time. */
export const callsBytesMax: Bytes = mebibytes(256);
/** Each takes a thread of four, and may become as large as a call may be. */
export const callsUnpackedAtOnce = 2;
/** Decoding takes half a microsecond an element, and nothing is answered meanwhile. A batch of 500 results has 50,000. */
export const callElementsMax = 250_000;
/** A whole configuration of 20,000 monitors with fifty things said of each, which only a key that may write sends. */
export const configurationElementsMax = 1_000_000;
/**
 * Some 40,000 monitors. It is compared and applied as a whole, while 40,000 calls of their own would be answered meanwhile:
 * larger estates are divided among owners, each with its own files.
 */
export const configurationBytesMax: Bytes = mebibytes(16);

/* Calls and connections */

/** A browser that has seen our TLS at a host asks there by nothing else for half a year: most people come more often. */
export const tlsKeptToFor: Millis = hours(24 * 182);
/** A client that sends a request's head or body more slowly than this is let go. */
export const serviceRequestTimeout: Millis = seconds(30);
/** A check now is answered within 140 s, and the largest answer has as long again on a slow line. */
export const serviceAnswerTimeout: Millis = minutes(5);
/** How often slow clients are looked for: the times of a client are counted in these. */
export const serviceLookEvery: Millis = seconds(1);
/** An agent keeps one or two connections and its push channel; these are those of a thousand locations. Past them, the one that waits longest is dropped. */
export const serviceConnectionsMax = 4_000;
/** A service that is starting asks callers to come again after this: agents keep what they have for much longer. */
export const serviceStartRetryAfter: Millis = seconds(5);
/** The sources are bundled in seconds; a machine that is busy with much else takes many times longer. */
export const bundleWithin: Millis = minutes(5);
/** A bundle that failed is not tried again for this long, because everyone may ask for it. */
export const bundleAgainAfter: Millis = minutes(1);
/** A service that stops lets requests under way end, then cuts them off: an agent reports again what was cut. */
export const serviceDrainTimeout: Millis = seconds(10);
/** Whoever asks for the service's health has it write at most this often. */
export const serviceHealthEvery: Millis = seconds(5);
/** A write that waits behind a batch takes about this; whoever asks for the health then gets the last answer. */
export const serviceHealthPatience: Millis = millis(20);
/** A database that takes longer for one small write is of no use; less than health checks wait themselves. */
export const serviceHealthLate: Millis = seconds(2);
/** How often the service looks whether its certificate was renewed: they last for days. */
export const serviceCertificateLookEvery: Millis = minutes(1);
/** Calls of one key in a second, unless a setting says otherwise: a person's tools are far below, a loop in a script far above. Agents are not counted. */
export const keyCallsPerSecondDefault = 20;
/** What a key did not use of so long it may use at once: 500 calls, as a tool makes that applies hundreds of monitors side by side. */
export const keyBurst: Millis = seconds(25);
/**
 * A call beyond that waits for its turn for at most this long: tools repeat no refused call. Their patience is 30 s as a
 * rule, and a service that stops gives the calls under way ten.
 */
export const keyTurnWait: Millis = seconds(8);
/** Calls of all keys that wait: a quarter of the connections, so that agents always find room. */
export const keyCallsWaitingMax = 1_000;
/** Other headers that a key is taken from: a tool or two of an operator's own. */
export const keyHeadersMax = 8;

/** A thousand agents that come again each second while the disk is full say the same thousand times. */
export const sameErrorLoggedEvery: Millis = minutes(1);
/** Different errors that are known to have been logged: more of them at a time are a sight worth its lines. */
export const errorsRemembered = 100;

/* Results that arrive */

/** A result with a body of 64 KiB, its headers and all its detail fits several times. */
export const resultBytesMax: Bytes = mebibytes(1);
/** A message is one plain sentence; the rest is cut. */
export const resultMessageCharsMax = 4_096;
/** An id is a UUID of 36 characters; other agents may name their results in another way. */
export const resultIdCharsMax = 256;
/** Clocks without NTP are some minutes apart; a result from further ahead would stand as the newest until then. */
export const resultAheadMax: Millis = minutes(5);

/** While the clocks of agents and service are apart, results come again this often: NTP sets a clock within a minute. */
export const clocksApartRetryAfter: Millis = seconds(30);

/* What is kept, and how it is forgotten */

/** Results one by one are evidence for days, not an archive: at 30 s a monitor makes 2,880 a day. */
export const resultsKeptFor: Millis = hours(14 * 24);
/** What came back, headers included, helps whoever looks into what has just failed. */
export const detailsKeptFor: Millis = hours(3 * 24);
/** What hours and days add up to: a quarter by the hour, two years and a month by the day. */
export const hoursKeptFor: Millis = hours(100 * 24);
export const daysKeptFor: Millis = hours(760 * 24);
/** An agent that has not called for a day has another name now, or none. */
export const instancesKeptFor: Millis = hours(24);
export const instancesListedMax = 1_000;
/** Replicas that note an agent's call at the same instant: each attempt ends for one of them. */
export const instanceChangesTriedMax = 20;
/** How often the service forgets what is old. */
export const forgetEvery: Millis = minutes(5);
/** Results this old are packed: almost all that comes late has come by then, and most questions are of what is newer. */
export const packAfterDefault: Millis = hours(3);
/** Replicas are updated one after the other; until all read packed results, none is packed (see pack-results.ts). */
export const packBeginsAfter: Millis = minutes(10);
/** How often the service packs: an hour waits at most so long once it may be packed. */
export const packEvery: Millis = minutes(5);
/** Between two portions of what is packed, results come in: half the time is theirs at least. */
export const packPause: Millis = millis(30);
/** Who changed what is kept for a year: as long as audits look back. */
export const auditKeptFor: Millis = hours(365 * 24);
/** A person notices a slip within minutes; what was deleted takes up its room until then. */
export const undoneWithin: Millis = minutes(10);
/** What cannot be put back any more is purged this soon. */
export const purgeEvery: Millis = seconds(30);
/** Between two portions of what is forgotten, calls are answered. */
export const forgetPause: Millis = millis(10);

/* Agents that call, and those that do not */

/** The service calls a location dead after this long without a heartbeat: three missed. */
export const heartbeatLostAfter: Millis = seconds(90);
export const heartbeatIntervalDefault: Millis = seconds(30);
/** A service that has not looked for this long could not be reached either: half of what an agent may be silent. */
export const listeningBreak: Millis = seconds(45);
/** A busy agent reports ten times a second, and each sign of it that is noted waits for the disk. */
export const signNotedEvery: Millis = seconds(1);
/** Whoever has an ended token can call as often as they like: one call of these is written. */
export const refusalNotedEvery: Millis = seconds(10);
/** An agent that was refused is named for so long after its last call: who rotates a token looks within a day. */
export const refusalShownFor: Millis = hours(24);
/**
 * A pull leaves an agent's last sign as it is if that is not older: a pull that is noted waits for the disk. Agents that
 * share send heartbeats as often, and all of those are noted.
 */
export const pullNotedEvery: Millis = seconds(10);
/** An agent of another make sends no heartbeats and pulls every ten minutes; one minute is for the way. */
export const pullLostAfter: Millis = minutes(11);

/* Judging, in parts that replicas share */

/** A check with many long attempts still counts as one that should have ended by then. */
export const longestCheckCounted: Millis = minutes(5);
/** What a result may take from its agent's spool to the service before its monitor is unknown. */
export const viewFreshMargin: Millis = seconds(30);
/** How often the service looks for monitors and locations that have gone silent: silence makes no call. */
export const judgeEvery: Millis = seconds(5);
/** Results of a batch that are read in one go take about a millisecond; calls are answered in between. */
export const resultsReadAtOnce = 100;
/** Monitors of an assignment that come from the store in one go: some milliseconds each time. */
export const assignedReadAtOnce = 200;
/** Locations whose assignments come from the store in one go: some milliseconds, where each has thousands of monitors. */
export const locationsReadAtOnce = 16;
/** Monitors that are judged in one go when a location goes silent; calls are answered in between. */
export const judgedAtOnce = 500;
/** Where all fail at once, each one's incident asks the store some questions: whoever opens a page waits for so many of them at most. */
export const incidentsSteppedAtOnce = 8;
/** Where more than half of a portion comes too late, it shrinks to a quarter, and to no less than a part of a second's work. */
export const judgedAtLeast = 8;
/** Monitors are judged in so many parts, which replicas share: more than there ever are replicas. */
export const judgeParts = 16;
/** How often a replica looks which others there are: what one did that has ended is another's within this, and a moment. */
export const replicasLookedAtEvery: Millis = seconds(1);
/** How often a replica asks for its part of the work, and for how long it has it: twice it may be late. */
export const leaseRenewedEvery: Millis = seconds(3);
/** With the time between two askings, what a replica did is another's within 15 s, even if it cannot be seen whether it has ended. */
export const leaseLength: Millis = seconds(10);
/** A look of the judge or the courier that takes this long has come to a stand. The judge looks every five seconds and the courier every second; on a slow disk a look takes longer. */
export const standstillAfter: Millis = minutes(1);

/* The heartbeat that the service sends to a watcher elsewhere */

/** Watchers wait for a few minutes by default; once a minute survives a lost request. */
export const outgoingHeartbeatEvery: Millis = minutes(1);
/** By then the judge has looked for the first time. */
export const outgoingHeartbeatFirst: Millis = seconds(10);

/*
 * Several agents that share one location. From the last sign of an agent that is lost to the first check of its
 * monitors elsewhere: 45 s until it counts as lost, then the next heartbeat of another learns of it (10 s, and 15 s
 * where the one before it hung), it pulls (15 s at most), and checks what was missed within 5 s. 90 s where every call
 * takes as long as one may, 60 s where they are quick.
 */
/** One heartbeat that hung for its whole 15 s, and the next one, do not make an agent lost. */
export const shareLostAfter: Millis = seconds(45);
/** How often agents that share say that they live; one that is alone need not say it so often. */
export const shareHeartbeatInterval: Millis = seconds(10);
/** To a service that was away no agent has reported: it waits for one heartbeat of each agent, and one call that hangs. */
export const shareStartGrace: Millis = seconds(25);
/** Where the others fell silent within two heartbeats of it, the way was cut, not this agent lost. */
export const shareOutlivedBy: Millis = seconds(20);
/** Splits of locations among their agents that are kept for their pages: the largest takes some 10 MB. */
export const placementsKeptMax = 4;
/** An agent that was gone takes nothing from the others before this: longer than one that dies again takes to be lost. */
export const shareProvingTime: Millis = minutes(2);

/* The push channel */

/** How often the service looks for what has changed: a location's revision, and tokens that no longer work. */
export const watchLookEvery: Millis = seconds(1);
/** Agents of one location that hold a push channel; those beyond it poll. */
export const watchesPerLocationMax = 64;
/** The agent's own limit, and the way to it and back. */
export const checkNowWait: Millis = seconds(140);
/** Questions that wait for agents at one time. */
export const checksNowWaitingMax = 200;
/** How often the service looks at the files that it is configured by: a person who saves one waits for it. */
export const configurationLookEvery: Millis = seconds(2);
/** Mistakes in those files that get a line of the log each. */
export const configurationMistakesLogged = 100;
/** Files that the service refused are tried again at every so many looks: a minute. */
export const configurationRetryLooks = 30;
/** What is to be known of a change, a sentence each: past these, a person reads no more. */
export const remarksAnsweredMax = 20;

/** A browser keeps the time zone and the theme that were chosen in it so long: none keeps anything much longer. */
export const choiceKeptFor: Millis = hours(24 * 365);
