import { type Bytes, hours, mebibytes, type Millis, millis, minutes, seconds } from "#base/units";

/* The paths to targets: how often they are traced, when a hop is known, and how much is kept. */

/* Packets */

/** Of the whole agent in any minute, whatever it traces and whatever fails. */
export const packetsPerMinute = 30;
/** Of these, while all is well: the others are for failures. */
export const quietPacketsPerMinute = 18;
/** A packet to a hop is one; what opens and resets a connection at the target itself is three. */
export const packetsPerAsk = 1;
export const packetsAtTarget = 3;
/** At one failure: the hops of most networks and what confirms a change. */
export const failurePacketsMax = 12;
/** Of one trace while all is well, with what is asked again: at the quiet rate it takes five minutes. */
export const tracePacketsMax = 90;
/** Between two packets of such a trace: 18 fit a minute. */
export const quietPace: Millis = millis(3_400);
/** Between two traces of one target, and between two looks at its path when it fails. */
export const traceEvery: Millis = minutes(15);
/** How often is looked for a path that is due. */
export const traceLookEvery: Millis = seconds(5);

/* One packet */

/** The internet has few longer paths, and a private network none. */
export const hopsMax = 16;
/** Paths around the world take 0.3 s; the kernel would repeat a packet after a second. */
export const askPatience: Millis = millis(700);
/** At a failure, a hop that is known has this much more than three times as long as it took before. */
export const askPatienceMin: Millis = millis(120);
export const askPatienceFactor = 3;
/** All that is asked at one failure: about as long as a failure waits for other evidence. */
export const failurePatience: Millis = seconds(2);
/** A look at a failure finds its port in use while a trace of the same path waits for an answer. */
export const portPause: Millis = millis(100);
/** The first looks for an answer come sooner: a hop of this network answers in less. */
export const answerLookFirst: Millis = millis(2);
export const answerLookEvery: Millis = millis(15);
/** Above the ports that Linux gives to connections by itself, which end at 60999. */
export const sourcePortMin = 61_000;
export const sourcePortMax = 65_000;

/* What is known */

/** Of a hop in each trace until it is known. */
export const learningAsks = 4;
/** Answers in a row of one router, in two traces or more, before it is known to be the hop. */
export const settledAnswers = 8;
export const settledAfter: Millis = minutes(10);
/** Another router that answers each of five packets: where two take turns, this and the eight before are once in 4,096. */
export const confirmingAnswers = 5;
/** A router that refuses says so a few times a second at most, and means it. */
export const refusals = 2;
/** Packets to a hop that is known and silent, of which all are lost by chance once in a million at 1 %. */
export const silentAsks = 3;
/**
 * The same before it is said that a path ends, to hops that are known: all are lost once in three million at 5 %. The
 * target's silence does not count: it may be what failed.
 */
export const silentAsksAtEnd = 5;
/** Hops in a row that do not answer, after which nothing further is asked. */
export const silentHopsMax = 4;
export const silentHopsAtFailure = 3;
/** Traces in which a hop was silent while others answered, after which it no longer counts as one that answers. */
export const silentTracesMax = 3;
/** A path that went back and forth within this time may do so again: it says nothing of a failure. */
export const flapRemembered: Millis = hours(72);
/** What was seen longer ago says nothing of a failure. */
export const knowledgeUsed: Millis = hours(168);

/* What is kept */

/** Networks with a path; of more, those that came first are kept. At 18 packets a minute a round takes half a day. */
export const pathsMax = 1_024;
export const changesPerPathMax = 8;
/** Other routers at one hop that are remembered. */
export const othersPerHopMax = 4;
export const pathFileBytesMax: Bytes = mebibytes(2);
/** Writing the file costs two waits for the disk. */
export const pathFileEvery: Millis = minutes(5);
/** Monitors whose network and last success are remembered: an agent has no more. */
export const monitorsMax = 10_000;

/* To the service */

/** In one heartbeat: at the quiet rate, one or two are traced between two. */
export const pathsPerBeat = 4;
/** Monitors of one path in one heartbeat. */
export const monitorsPerPathMax = 256;
