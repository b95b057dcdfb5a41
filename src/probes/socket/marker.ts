import { closeSync, openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Clock } from "#base/clock";
import { MachineSleep } from "#probes/socket/machine-sleep";
import { Pauses, type Sample } from "#probes/socket/pauses";
import { type Millis, nanos, type Nanos } from "#base/units";

/** An instant of the monotonic clock as the probe read it, and how long before it the wire's own may lie. */
export interface Mark {
  readonly at: Nanos;
  readonly errorBar: Nanos;
  /** Two marks with the same shift are off together: it is in the error bar of both, and not in the time between them. */
  readonly shift?: Shift;
}

interface Shift {
  readonly errorBar: Nanos;
}

/** Reads instants for the probes of one thread, and knows how late it may be in doing so. */
export interface Marker {
  /** Now, for something that we do ourselves: nothing can have delayed it. */
  acted(): Mark;
  /** Now, for something that we began to do at `mark` and that is done: it happened between. */
  since(mark: Mark): Mark;
  /** Now, for something that the event loop reports: it may have happened while the loop was busy. */
  observed(): Mark;
  /** Until it is disposed, a beat of the loop shows when the whole process was paused. */
  attend(): Disposable;
  /** How long the thread was paused so far, as far as it was watched. */
  paused(): Nanos;
  /** How long at a stretch it did not come back to its loop since an instant, whatever kept it, as far as it was watched. */
  absentSince(from: Nanos): Nanos;
  /** How long the whole machine slept so far. */
  machineSlept(): Millis;
}

/** How a thread has spent its time so far. */
export interface LoopTimes {
  /** Time that the event loop slept, waiting for events; grows only between two turns of the loop. */
  slept(): Nanos;
  /** Time that the thread was ready to run and waited for a processor. */
  queued(): Nanos;
}

/**
 * The error bar of an event is the time for which the loop cannot have been listening: whatever it was not asleep
 * since the last instant that is known to lie before its last sleep, and the time that the thread then waited for a
 * processor. An event that had come before that sleep would have ended it.
 *
 *     turn ──── mark ──── │ sleep │ wake ── others' events ── mark
 *                 └ before        └──────── busy ───────────────┘
 */
export function loopMarker(
  clock: Clock,
  times: LoopTimes = threadTimes(),
  machineSleep: MachineSleep = new MachineSleep(clock),
): Marker {
  return new LoopMarker(clock, times, machineSleep);
}

class LoopMarker implements Marker {
  readonly #clock: Clock;
  readonly #times: LoopTimes;
  readonly #machineSleep: MachineSleep;
  readonly #pauses: Pauses;
  /** Both are written over again and again: each mark takes one. */
  #last: WrittenSample;
  /** The newest sample that is older than the loop's last sleep. */
  #before: WrittenSample;
  #isTurnClosing = false;

  constructor(clock: Clock, times: LoopTimes, machineSleep: MachineSleep) {
    this.#clock = clock;
    this.#times = times;
    this.#machineSleep = machineSleep;
    this.#pauses = new Pauses(
      clock,
      () => this.#now(),
      () => times.queued(),
    );
    const sample = { at: clock.monotonic(), slept: times.slept(), queued: times.queued() };
    this.#last = sample;
    this.#before = { ...sample };
  }

  attend(): Disposable {
    return this.#pauses.attend();
  }

  paused(): Nanos {
    this.#now();
    return this.#pauses.total;
  }

  absentSince(from: Nanos): Nanos {
    return this.#pauses.absentSince(from);
  }

  machineSlept(): Millis {
    return this.#machineSleep.total;
  }

  acted(): Mark {
    this.#closeTurn();
    return { at: this.#now(), errorBar: nanos(0) };
  }

  since(mark: Mark): Mark {
    const at = this.#now();
    return { at, errorBar: nanos(at - mark.at) };
  }

  observed(): Mark {
    this.#closeTurn();
    const at = this.#now();
    const [before, last] = [this.#before, this.#last];
    const busy = at - before.at - (last.slept - before.slept);
    const queued = last.queued - before.queued;
    return { at, errorBar: nanos(Math.max(0, busy) + Math.max(0, queued)) };
  }

  #now(): Nanos {
    const at = this.#clock.monotonic();
    const slept = this.#times.slept();
    if (slept === this.#last.slept) {
      this.#last.at = at;
      return at;
    }
    const last = this.#before;
    last.at = at;
    last.slept = slept;
    last.queued = this.#times.queued();
    this.#before = this.#last;
    this.#last = last;
    this.#pauses.between(this.#before, last);
    return at;
  }

  /** One more instant at the end of a turn in which something was marked: what lies before it is no news after it. */
  #closeTurn(): void {
    if (this.#isTurnClosing) return;
    this.#isTurnClosing = true;
    setImmediate(this.#turnEnded);
  }

  readonly #turnEnded = (): void => {
    this.#isTurnClosing = false;
    this.#now();
  };
}

type WrittenSample = { -readonly [F in keyof Sample]: Sample[F] };

/** The calling thread's own figures: the runtime's of its loop and, on Linux, the kernel's of its scheduling. */
export function threadTimes(): LoopTimes {
  return {
    slept: () => nanos(performance.nodeTiming.idleTime * 1e6),
    queued: scheduleDelay(),
  };
}

/** proc(5), schedstat: time on a processor, time waiting for one (both in nanoseconds), and the number of turns. */
function scheduleDelay(): () => Nanos {
  const file = openSchedstat();
  if (file === null) return () => nanos(0);
  const line = Buffer.alloc(64);
  return () => {
    const length = readSync(file, line, 0, line.length, 0);
    let queued = 0;
    for (let at = line.indexOf(space) + 1; at < length; at += 1) {
      const digit = (line[at] ?? 0) - zero;
      if (digit < 0) break;
      queued = queued * 10 + digit;
    }
    return nanos(queued);
  };
}

const space = 0x20;
const zero = 0x30;

/** Null on a system or in a sandbox that does not show it: the error bar is then the loop's alone. */
function openSchedstat(): number | null {
  try {
    const file = openSync("/proc/thread-self/schedstat", "r");
    try {
      readSync(file, Buffer.alloc(1), 0, 1, 0);
      return file;
    } catch {
      closeSync(file);
      return null;
    }
  } catch {
    return null;
  }
}
