import type { Clock } from "#base/clock";
import * as limits from "#limits/prober-limits";
import type { MonitorEdition } from "#agent/prober/lane-messages";
import type { Monitor } from "#check/monitor";
import { millisToNanos, type Nanos } from "#base/units";

/**
 * Monitors by the number that their results call them by. A monitor may have changed, or gone, when a result of it comes
 * from its thread: it is kept for as long as a check takes.
 */
export class Editions {
  readonly #clock: Clock;
  readonly #monitors = new Map<number, Monitor>();
  readonly #current = new Map<string, number>();
  #retired: { readonly edition: number; readonly at: Nanos }[] = [];
  #next = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Gives each a number; the one that it had is retired. */
  issue(monitors: readonly Monitor[]): readonly MonitorEdition[] {
    this.retire(monitors.map(({ id }) => id));
    return monitors.map((monitor) => {
      const edition = this.#next;
      this.#next += 1;
      this.#current.set(monitor.id, edition);
      this.#monitors.set(edition, monitor);
      return { edition, monitor };
    });
  }

  retire(monitorIds: readonly string[]): void {
    const now = this.#clock.monotonic();
    for (const id of monitorIds) {
      const edition = this.#current.get(id);
      if (edition !== undefined) this.#retired.push({ edition, at: now });
      this.#current.delete(id);
    }
    const old = now - millisToNanos(limits.checkNowTimeout);
    for (const { edition, at } of this.#retired) if (at < old) this.#monitors.delete(edition);
    this.#retired = this.#retired.filter(({ at }) => at >= old);
  }

  /** As it was then, or else as it is now; null for one that is gone. */
  monitor(edition: number, monitorId: string): Monitor | null {
    const then = this.#monitors.get(edition);
    if (then !== undefined) return then;
    return this.#monitors.get(this.#current.get(monitorId) ?? 0) ?? null;
  }
}
