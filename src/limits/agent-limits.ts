import {
  type Bytes,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";

/* The agent: what it reports, and how it keeps to its service. */

/* Reports */

/** Results wait at most this long for company before they are reported: less than until a save would write them. */
export const reportEvery: Millis = millis(750);
/** A call's bytes, unless one result is larger: a tenth of what our service takes, and 15 s on a line of 3 Mbit/s. */
export const ingestBatchBytesMax: Bytes = mebibytes(4);
/** Backlog a second in batches: an outage of a day of 1,000 monitors at 30 s is made up for in half an hour. */
export const replayBatchedPerSecond = 2_000;
/** Backlog a second by plain calls: each is a separate request to a service that many agents come back to. */
export const replaySinglyPerSecond = 100;
/** How often a 500 to one result is borne while others are taken: an unknown monitor answers 500 forever. */
export const ingestAttemptsMax = 8;
/** The same while nothing else is there to be taken, but pulls succeed: at one try a minute, about two hours. */
export const ingestAttemptsAloneMax = 120;
/** Monitors that the service fails on and that are tried again at one time, each each with its own call. */
export const suspectsAtOnceMax = 8;
/** A monitor whose results the service takes later is tried again so often: soon enough for a reader of its page. */
export const postponedMax: Millis = seconds(10);

/**
 * A stop waits no longer for a service that takes nothing of what the disk keeps: Docker kills after 10 s, and the last
 * metrics need some of them.
 */
export const stopSilenceMax: Millis = seconds(3);
/** Nor for one that cannot be reached in so many rounds: the first may meet a connection that was just lost. */
export const stopRoundsMax = 2;

/* Heartbeats, and the push channel */

/** A slot is named before its check: one this far ahead of the clock was named by a clock that has been set back since. */
export const slotAheadMax: Millis = seconds(5);
/** A heartbeat interval that a service asks for stays within these. */
export const heartbeatIntervalMin: Millis = seconds(5);
export const heartbeatIntervalMax: Millis = minutes(5);
/** Answers in a row without an audit log, before it counts as hidden: half an hour at 30 s, as long as an update takes. */
export const auditAbsencesMax = 60;
/** A connection that was held for this long was a good one: the next loss is the first again. */
export const watchSettledAfter: Millis = seconds(30);
/** One reconnection that fails is a restart of the service; the third in a row is worth a line in the log. */
export const watchLossesUntilLogged = 3;
/** After a drain an agent comes back within these, so that the agents of a service that stops do not come as one. */
export const watchDrainPauseMin: Millis = seconds(1);
export const watchDrainPauseMax: Millis = seconds(5);
/** Pulls that are asked for keep this distance, so that a service that contradicts itself is not asked without end. */
export const pushedPullAfter: Millis = millis(500);
/** Checks asked for at the same time: a person's, in addition to thousands of slots whose places they take. */
export const checksNowMax = 4;

/* Files that it reads */

/** Every system's whole bundle of authorities fits many times. */
export const trustFileBytesMax: Bytes = mebibytes(4);
/** A token is one header value. */
export const tokenFileBytesMax: Bytes = kibibytes(16);
/** The largest answer of a service, in base64, and a little around it. */
export const assignmentFileBytesMax: Bytes = mebibytes(88);

/**
 * Past this the next change of an assignment comes with the whole: thousands of changes, which a start reads in some ten
 * milliseconds.
 */
export const assignmentChangesBytesMax: Bytes = mebibytes(4);

/** Runs of an agent, one after the other, of which it is known what was checked: as many as a bad update may restart it. */
export const runSpansMax = 8;
/** Monitors that were added while an agent ran, or not checked at its end, each with its own line: a file of some 100 KB. */
export const runExceptionsMax = 1_000;

/* A state directory that several agents use */

/** Agents that use one state directory at one time: a rolling update has two of them, a mistake seldom more. */
export const agentsPerStateDirectoryMax = 16;
/** How often an agent looks whether another of its state directory has ended and left results. */
export const leftResultsLookEvery: Millis = seconds(10);
/** Results that are taken over in one turn, which takes some 20 ms of the main thread. */
export const leftResultsAtOnce = 1_000;

/* Its own figures and its log */

/** How many starts the lateness figures are made of: some seconds of a full agent, half an hour of a small one. */
export const latenessSamples = 4_096;
/**
 * Each look wakes the main thread: twenty a second were nearly all of its wakes with 17 checks a second. A delay that is
 * longer than the pause between two looks is always seen.
 */
export const eventLoopLookEvery: Millis = millis(250);
/** Remarks of one assignment that get a line of the log each. */
export const remarksLoggedMax = 20;
/** Changes of verdict that are logged one by one; when a network fails, a thousand lines would hide its cause. */
export const verdictLinesMax = 20;
export const verdictLinesSpan: Millis = seconds(10);
/** Monitors that the rules for targets refuse, with a sentence each: a person searches no longer list. */
export const refusedTargetsKeptMax = 1_000;
