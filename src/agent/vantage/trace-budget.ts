import * as limits from "#limits/vantage-limits";
import { minutes } from "#units";

/**
 * How often the way to a target is traced: a mass outage sends what one failure does. Instants are milliseconds of the
 * monotonic clock.
 */
export class TraceBudget {
  readonly #tracedAt = new Map<string, number>();
  #spent: { readonly at: number; readonly packets: number }[] = [];
  #lastAt = -Infinity;
  #refused = 0;

  /** Traces that were wanted and not made. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes the room of one trace to an address; false where there is none. What it did not need comes back by `spent`. */
  take(address: string, now: number): boolean {
    this.#spent = this.#spent.filter(({ at }) => now - at < minutes(1));
    const packets = this.#spent.reduce((sum, one) => sum + one.packets, 0);
    const before = this.#tracedAt.get(address) ?? -Infinity;
    const isFree =
      now - this.#lastAt >= limits.traceEvery &&
      now - before >= limits.traceTargetEvery &&
      packets + limits.traceHopsMax <= limits.tracePacketsPerMinute;
    if (!isFree) {
      this.#refused += 1;
      return false;
    }
    if (this.#tracedAt.size >= limits.tracedTargetsMax) this.#tracedAt.clear();
    this.#tracedAt.set(address, now);
    this.#lastAt = now;
    this.#spent.push({ at: now, packets: limits.traceHopsMax });
    return true;
  }

  /** The trace that was begun last cost only so many. */
  spent(packets: number): void {
    const last = this.#spent.pop();
    if (last !== undefined) this.#spent.push({ ...last, packets });
  }
}
