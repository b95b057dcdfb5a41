import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import type { LogFields, Logger } from "#base/log";
import { type Millis, millisToNanos, type Nanos } from "#base/units";

interface Span {
  startedAt: Nanos;
  lines: number;
  leftOut: number;
}

/** Keeps one cause from filling a log: so many lines of a topic pass in a span of time, and the others are counted. */
export class LogLimit {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #linesMax: number;
  readonly #length: Millis;
  /** Topics are few and fixed: what differs from time to time belongs into a line's fields. */
  readonly #spans = new Map<string, Span>();

  constructor(
    clock: Clock,
    log: Logger,
    { linesMax, span }: { readonly linesMax: number; readonly span: Millis },
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#linesMax = linesMax;
    this.#length = span;
  }

  /** Logs a warning whose message is its topic; the first line of a new span says how many were left out before. */
  warn(message: string, fields: LogFields): void {
    const leftOut = this.takeLeftOut(message);
    if (!this.admits(message)) return;
    this.#log.warn(message, leftOut === 0 ? fields : { ...fields, "times before": leftOut });
  }

  /** Whether one more line of a topic may be logged now; one that may not is counted. */
  admits(topic: string): boolean {
    const now = this.#clock.monotonic();
    const span = this.#spans.getOrInsertComputed(topic, () => ({
      startedAt: now,
      lines: 0,
      leftOut: 0,
    }));
    if (this.#isOver(span)) Object.assign(span, { startedAt: now, lines: 0 });
    const admitted = span.lines < this.#linesMax;
    if (admitted) span.lines += 1;
    else span.leftOut += 1;
    return admitted;
  }

  /** How many lines of a topic were left out in a span that is over; zero while it lasts. The next call begins at zero. */
  takeLeftOut(topic: string): number {
    const span = this.#spans.get(topic);
    if (span === undefined || !this.#isOver(span)) return 0;
    const { leftOut } = span;
    span.leftOut = 0;
    return leftOut;
  }

  #isOver({ startedAt }: Span): boolean {
    return this.#clock.monotonic() - startedAt >= millisToNanos(this.#length);
  }
}

/** Remembers the last state of each topic, so that a log has a line where it changes, and none if it stays. */
export class LogNews {
  readonly #states = new Map<string, string>();

  /** Whether the state is another than the topic's last. */
  isNews(topic: string, state: string): boolean {
    if (this.#states.get(topic) === state) return false;
    this.#states.set(topic, state);
    // A map keeps the order in which its keys came: the topic that was new the longest time ago is forgotten.
    const [oldest] = this.#states.keys();
    if (this.#states.size > limits.logTopicsKeptMax && oldest !== undefined)
      this.#states.delete(oldest);
    return true;
  }
}
