import { backoff } from "#base/backoff";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import { millisToNanos, nanos, type Nanos } from "#base/units";

/**
 * Monitors whose results the service takes later, while it takes those of others: one of its databases may be away. They
 * are left out of calls for a while, so that they do not delay the others.
 */
export class Postponements {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #until = new Map<string, { readonly at: Nanos; readonly times: number }>();

  constructor({ clock, chance }: { readonly clock: Clock; readonly chance: () => number }) {
    this.#clock = clock;
    this.#chance = chance;
  }

  has(monitorId: string): boolean {
    const until = this.#until.get(monitorId);
    return until !== undefined && this.#clock.monotonic() < until.at;
  }

  get any(): boolean {
    return this.#until.size > 0;
  }

  /** Several results of one call are one time. */
  postpone(monitorIds: ReadonlySet<string>): void {
    const now = this.#clock.monotonic();
    for (const id of monitorIds) {
      const times = (this.#until.get(id)?.times ?? 0) + 1;
      const pause = backoff(times, limits.postponedMax, this.#chance());
      this.#until.set(id, { at: nanos(now + millisToNanos(pause)), times });
    }
  }

  /** The service took one. */
  served(monitorId: string): void {
    this.#until.delete(monitorId);
  }

  /** All are sent again at once. */
  clear(): void {
    this.#until.clear();
  }
}
