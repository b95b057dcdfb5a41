import type { Clock } from "#clock";
import { millis, type Millis, nanos, nanosToMillis } from "#units";

/**
 * The one deadline of an attempt: a signal that aborts when the time is up or when the parent aborts, whichever
 * comes first. Dispose it when the attempt ends, or its timer outlives the attempt.
 */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** What ended it: the time, somebody who cancelled, or nothing yet. */
  readonly ended: "timeout" | "cancelled" | null;
  readonly budget: Millis;
  /** Time left, never below zero. */
  remaining(): Millis;
}

/** A reason that is never read: without one, each abort makes an exception with its stack. */
const over = "over";

/** Starts a deadline of `budget` that also ends when `parent` aborts. */
export function startDeadline(clock: Clock, budget: Millis, parent?: AbortSignal): Deadline {
  const startedAt = clock.monotonic();
  const expiry = new AbortController();
  const release = new AbortController();
  let ended: Deadline["ended"] = null;
  const end = (why: "timeout" | "cancelled"): void => {
    if (ended !== null || release.signal.aborted) return;
    ended = why;
    release.abort(over);
    expiry.abort(over);
  };
  const onParent = (): void => end("cancelled");
  if (parent?.aborted === true) onParent();
  else {
    parent?.addEventListener("abort", onParent, { once: true });
    void clock.sleep(budget, release.signal).then(() => end("timeout"));
  }
  return {
    signal: expiry.signal,
    budget,
    get ended() {
      return ended;
    },
    remaining: () =>
      millis(Math.max(0, budget - nanosToMillis(nanos(clock.monotonic() - startedAt)))),
    [Symbol.dispose]: () => {
      parent?.removeEventListener("abort", onParent);
      release.abort(over);
    },
  };
}

/** The same deadline for a part of the work that `signal` may end earlier; what ends this way counts as cancelled. */
export function endedEarlierBy(deadline: Deadline, signal: AbortSignal): Deadline {
  return {
    signal: AbortSignal.any([deadline.signal, signal]),
    budget: deadline.budget,
    get ended() {
      return deadline.ended ?? (signal.aborted ? "cancelled" : null);
    },
    remaining: () => (signal.aborted ? millis(0) : deadline.remaining()),
    [Symbol.dispose]: () => {},
  };
}
