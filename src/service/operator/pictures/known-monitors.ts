import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import type { Monitors } from "#service/monitors/monitors";
import type { MonitorRow } from "#service/store/state-store";

/** What is to be checked where, until a person changes that. All of it is kept of a service that is not large. */
export class KnownMonitors {
  readonly #monitors: Pick<Monitors, "count" | "list">;
  #rows: Promise<readonly MonitorRow[]> | null = null;
  /** Null if it is to be asked. */
  #isLarge: Promise<boolean> | null = null;

  constructor(monitors: Pick<Monitors, "count" | "list">) {
    this.#monitors = monitors;
  }

  /** Whether there are too many monitors for whole pictures. */
  isLarge(): Promise<boolean> {
    const asking = (this.#isLarge ??= this.#monitors
      .count()
      .then((count) => count > limits.preparedMonitorsMax));
    asking.catch(() => {
      if (this.#isLarge === asking) this.#isLarge = null;
    });
    return asking;
  }

  /** In the order of ids; it is not asked of a large service. */
  now(): Promise<readonly MonitorRow[]> {
    const reading = (this.#rows ??= this.#monitors.list(serviceLimits.serviceMonitorsMax, 0));
    reading.catch(() => {
      if (this.#rows === reading) this.#rows = null;
    });
    return reading;
  }

  /** A monitor was made, changed or deleted. */
  outdate(): void {
    this.#rows = null;
    this.#isLarge = null;
  }
}
