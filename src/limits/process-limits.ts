import { type Bytes, mebibytes, type Millis, millis, minutes, seconds } from "#base/units";

/* What any process needs: the clock, pauses between tries, the log. */

/* The clock */

/** NTP slews by 0.5 ms a second and steps from 128 ms on; below this a slot moves by less than a person sees. */
export const wallStepMin: Millis = millis(500);
/** The service takes over a clock that was set after this: a wrong one is mostly set right sooner. */
export const wallStepTakenAfter: Millis = minutes(10);
/** How often the service looks whether its clock was set. */
export const wallLookEvery: Millis = seconds(1);

/** A wait for a peer is slept in so many pieces: an answer to a process that was stopped is read in a few turns of the loop. */
export const peerWaitPieces = 10;
/** The timers of the runtime fire this much too late on a machine that is in order. */
export const timerLateMax: Millis = millis(20);
/** After a timer that fired later, all that came meanwhile is read in this time: a few turns of the loop. */
export const readingTime: Millis = millis(10);

/* Pauses between tries */

/** Fast first, then patient: a service that restarts is found again within seconds. */
export const backoffFirst: Millis = millis(500);
export const backoffMax: Millis = minutes(1);
/** A wait that a service asks for by Retry-After is kept, up to here. */
export const retryAfterMax: Millis = minutes(10);

/* The log and the output */

/** What may happen with every result is said once in this time. */
export const sameWarningEvery: Millis = minutes(1);
/** Topics of which the log's last word is remembered: all remarks on an assignment, twice. */
export const logTopicsKeptMax = 2_100;
/** Of a log that is not read just now: some thousand lines, after which the oldest news is enough. */
export const unreadLogBytesMax: Bytes = mebibytes(1);
/** How long a command that was asked to stop waits for what it wrote to be read. */
export const unreadOutputPatience: Millis = seconds(1);

/* Memory */

/** What only the start of an agent needs has run by then, with the first checks. */
export const programStartsWithin: Millis = seconds(30);
/**
 * Memory that was used once since then is given back again after this. It takes half a millisecond, and mapping anew what is
 * in use takes two more: less than a hundredth of a percent of a processor.
 */
export const unusedMemoryDroppedEvery: Millis = seconds(30);
/**
 * Below this, heaps may grow by what V8 gives them by itself, some 8 MB each: 500 monitors then take 90 MiB at most, of
 * which they may have 94. What is larger keeps to the flag of the image: 1,000 monitors may have 105 MiB, 10,000 162.
 */
export const heapsGrowBelow: Bytes = mebibytes(88);
/** 10,000 monitors take 165 MB. With 100,000, collections of heaps that are kept small took half of a processor. */
export const heapsLargeFrom: Bytes = mebibytes(256);
/** 100,000 monitors then take 530 to 570 MB: each heap has 200 that are in use. */
export const largeHeapGrowthPercent = 30;
/** At 1,700 checks a second some 15 KB a check outlive 1 MiB. With 8 MiB the old generation hardly grew once no check was late. */
export const youngGenerationMax: Bytes = mebibytes(8);
/**
 * Of so many monitors it is remembered what is made of them. Of an http monitor that is its first request, with 1 KB; to
 * make it again takes 5 µs, a hundredth of a check.
 */
export const memoKeptMax = 10_000;
/** Heaps grow by a few megabytes in this time. */
export const heapsLookedAtEvery: Millis = seconds(30);
/** At the start, while a hundred thousand monitors come. */
export const heapsLookedAtFirst: Millis = seconds(1);
