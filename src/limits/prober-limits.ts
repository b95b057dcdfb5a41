import { type Millis, millis, seconds } from "#base/units";

/* The slots of monitors and the threads that check. */

/* Slots */

/** A new monitor's first check starts within this time, so that a person who adds one sees it work. */
export const firstCheckWithin: Millis = seconds(5);
/** A core and its threads start so many checks a second while nothing of them is compiled yet. */
export const startsPerSecond = 1_000;
/** So many monitors may be new at once and are all checked within five seconds, if others leave the room for that. */
export const firstChecksAtOnce = 5_000;
/** Past them, first checks begin at most so often, so that a service that invents monitors makes no flood. */
export const firstChecksPerSecond = 200;
/** So much room for first checks there always is: with it, a person who adds 250 monitors to 100,000 sees them within five seconds. */
export const firstChecksRoomMin = 50;
/**
 * So many checks begin together, on average and at most, where the kernel stamps their packets. A thread that is woken for
 * each finds cold caches: at 17 a second, eight together cost 30 % less, and the last of them begins a millisecond after the
 * first.
 */
export const startsTogether = 10;
/** The same of pings: a check wakes its thread for each echo anyway, so more at once save little, and each is put off for longer. */
export const pingsTogether = 2;
/**
 * The milliseconds from one such start to the next. All divide a second and a period, so each monitor keeps its rhythm;
 * a check is put off by less than the longest.
 */
export const startsApart: readonly number[] = [500, 250, 200, 125, 100, 50, 40, 25, 20, 10, 8, 5];
/** A slot that could not start within this time is skipped and counted: a late check is not that slot's check. */
export const slotLatenessMax: Millis = seconds(5);
/** The wall clock may be set while the scheduler sleeps; it looks again at least this often. */
export const scheduleLookEvery: Millis = seconds(1);
/** A check that is asked for begins no further attempt after this: a person waits for it. */
export const checkNowRetriesWithin: Millis = seconds(10);
/** The longest timeout of a monitor, and the attempts before it. */
export const checkNowTimeout: Millis = seconds(135);

/* Threads */

/** Results wait in their thread for company at most this long, or until there are so many: each crossing wakes both. */
export const crossingEvery: Millis = millis(100);
/** Successes wait until this long after the last crossing: at 17 checks a second, ten crossings become two. */
export const crossingCalmEvery: Millis = millis(500);
/** A batch of 16 leaves less to the old generation, and still costs 7 % more of a check: each wakes the main thread. */
export const crossingBatchMax = 64;
/** Checks that are aborted end within milliseconds; a thread that does not let them go is ended itself. */
export const checksAbortWithin: Millis = seconds(2);
/** A probe thread that dies at once would otherwise be restarted in a tight loop. */
export const probeThreadRestartPause: Millis = seconds(1);
