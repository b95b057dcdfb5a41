import type { TimeSpan } from "#service/alerting/surroundings";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import type { Settings } from "#service/store/state-store";
import { between, epochMillis, type EpochMillis } from "#base/units";

/** Under which the settings keep when a service of this database last looked at the outbox. */
const kept = "courier/alive";

/** When the service was there, so that messages that waited for its start say so, and no others do. */
export class LastAlive {
  readonly #settings: Settings;
  readonly #clock: Clock;
  #notedAt: EpochMillis | null = null;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** From the last sign of life until now; null if there is none. A replica that is running leaves one always. */
  async stopUntilNow(): Promise<TimeSpan | null> {
    const to = this.#clock.wall();
    const from = Number((await this.#settings.all()).get(kept));
    return Number.isInteger(from) && from > 0 && from < to ? { from: epochMillis(from), to } : null;
  }

  async note(): Promise<void> {
    this.#notedAt = this.#clock.wall();
    await this.#settings.note(kept, String(this.#notedAt));
  }

  /** Does so if that was a while ago. */
  async noteSeldom(): Promise<void> {
    const now = this.#clock.wall();
    const isFresh =
      this.#notedAt !== null && Math.abs(between(this.#notedAt, now)) < limits.aliveNotedEvery;
    if (!isFresh) await this.note();
  }
}
