import type { Clock } from "#base/clock";
import { type EndSignal, Ending } from "#base/ending";
import { millis, type Millis, nanos, type Nanos, nanosToMillis } from "#base/units";

/**
 * The one deadline of an attempt: it ends when the time is up or when the parent aborts, whichever comes first. Dispose
 * it when the attempt ends, or its timer outlives the attempt.
 */
export interface Deadline extends Disposable {
  /** Aborts at the end. */
  readonly end: EndSignal;
  /** The same for what wants a signal of the runtime; it is made when it is first asked for. */
  readonly signal: AbortSignal;
  /** What ended it: the time, a caller who cancelled, or nothing yet. */
  readonly ended: "timeout" | "cancelled" | null;
  readonly budget: Millis;
  /** Time left, never below zero. */
  remaining(): Millis;
}

/** Starts a deadline of `budget` that also ends when `parent` aborts. */
export const startDeadline = (clock: Clock, budget: Millis, parent?: EndSignal): Deadline =>
  new TimedDeadline(clock, budget, parent ?? null);

class TimedDeadline implements Deadline {
  readonly budget: Millis;
  readonly end: Ending = new Ending();
  readonly #clock: Clock;
  readonly #startedAt: Nanos;
  readonly #parent: EndSignal | null;
  readonly #released = new Ending();
  readonly #onParent = (): void => this.#end("cancelled");
  #ended: Deadline["ended"] = null;
  #signal: AbortSignal | null = null;

  constructor(clock: Clock, budget: Millis, parent: EndSignal | null) {
    this.#clock = clock;
    this.budget = budget;
    this.#parent = parent;
    this.#startedAt = clock.monotonic();
    if (parent?.aborted === true) this.#end("cancelled");
    else {
      parent?.addEventListener("abort", this.#onParent, { once: true });
      void clock.sleep(budget, this.#released).then(() => this.#end("timeout"));
    }
  }

  get ended(): Deadline["ended"] {
    return this.#ended;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.end));
  }

  remaining(): Millis {
    const elapsed = nanosToMillis(nanos(this.#clock.monotonic() - this.#startedAt));
    return millis(Math.max(0, this.budget - elapsed));
  }

  [Symbol.dispose](): void {
    this.#parent?.removeEventListener("abort", this.#onParent);
    this.#released.abort();
  }

  #end(why: "timeout" | "cancelled"): void {
    if (this.#ended !== null || this.#released.aborted) return;
    this.#ended = why;
    this.#released.abort();
    this.end.abort();
  }
}

/** The same deadline for a part of the work that `sooner` may end earlier; what ends this way counts as cancelled. */
export function endedEarlierBy(deadline: Deadline, sooner: EndSignal): Deadline {
  const end = new Ending();
  let signal: AbortSignal | null = null;
  const onEnd = (): void => {
    deadline.end.removeEventListener("abort", onEnd);
    sooner.removeEventListener("abort", onEnd);
    end.abort();
  };
  deadline.end.addEventListener("abort", onEnd);
  sooner.addEventListener("abort", onEnd);
  if (deadline.end.aborted || sooner.aborted) onEnd();
  return {
    end,
    get signal() {
      return (signal ??= signalOf(end));
    },
    budget: deadline.budget,
    get ended() {
      return deadline.ended ?? (sooner.aborted ? "cancelled" : null);
    },
    remaining: () => (sooner.aborted ? millis(0) : deadline.remaining()),
    [Symbol.dispose]: () => {},
  };
}

function signalOf(end: EndSignal): AbortSignal {
  const controller = new AbortController();
  // Without a reason, each abort makes an exception with its stack.
  const abort = (): void => controller.abort("over");
  if (end.aborted) abort();
  else end.addEventListener("abort", abort);
  return controller.signal;
}
