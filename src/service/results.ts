import { periodicities } from "#check/definition";
import * as limits from "#limits";
import { Refusal, shortId } from "#service/call-refusal";
import type { IncomingResult } from "#service/incoming";
import type { Monitors } from "#service/monitors";
import type { SteadyClock } from "#steady-clock";
import type { LocationId, MonitorId } from "#store/ids";
import type { NewResult, Receipt, Retention } from "#store/result-store";
import type { Store } from "#store/store";
import { epochMillis, type EpochMillis, type Millis, millis } from "#units";

/** Results as they come in, and how long they stay. */
export class Results implements Disposable {
  readonly #store: Store;
  readonly #monitors: Monitors;
  readonly #clock: SteadyClock;
  /** What one result of a monitor stands for; asked for again whenever monitors have changed. */
  readonly #periods = new Map<MonitorId, Millis>();
  readonly #hearing: Disposable;

  constructor(store: Store, monitors: Monitors, clock: SteadyClock) {
    this.#store = store;
    this.#monitors = monitors;
    this.#clock = clock;
    this.#hearing = store.onChange((change) => {
      if (change === "assignments") this.#periods.clear();
    });
  }

  /** Stores what a location saw; a receipt each, in order. All of it is durable when this resolves. */
  async store(
    location: LocationId,
    incoming: readonly IncomingResult[],
  ): Promise<readonly Receipt[]> {
    const known = await Promise.all(incoming.map((one) => this.#known(one)));
    const results = known.filter((one) => one !== null);
    const batch = { location, storedAt: this.#clock.wall(), results };
    const receipts = results.length === 0 ? [] : await this.#store.results.append(batch);
    const inOrder = receipts.values();
    return known.map((one) => (one === null ? unassigned : (inOrder.next().value ?? unassigned)));
  }

  /** Forgets some of what is too old or too much; true when there may be more. */
  forgetSome(): Promise<boolean> {
    const before = (kept: Millis): EpochMillis => epochMillis(this.#clock.withoutSteps - kept);
    const retention: Retention = {
      details: before(limits.detailsKeptFor),
      results: before(limits.resultsKeptFor),
      hours: before(limits.hoursKeptFor),
      days: before(limits.daysKeptFor),
    };
    return this.#store.results.forget(retention);
  }

  [Symbol.dispose](): void {
    this.#hearing[Symbol.dispose]();
  }

  async #known({ monitorId, ...result }: IncomingResult): Promise<NewResult | null> {
    const monitor = await this.#monitors.idOf(monitorId);
    if (monitor === null) return null;
    return { ...result, monitor, period: await this.#periodOf(monitor) };
  }

  async #periodOf(monitor: MonitorId): Promise<Millis> {
    const known = this.#periods.get(monitor);
    if (known !== undefined) return known;
    const row = await this.#monitors.find(monitor);
    // The store says itself that there is no such monitor.
    if (row === null) return millis(0);
    const period = periodicities[row.definition.periodicity] ?? millis(0);
    this.#periods.set(monitor, period);
    return period;
  }
}

const unassigned: Receipt = { kind: "unassigned" };

/** The existing service answers 500 for a monitor that it does not know; 404 says that asking again is no use. */
export const notAssigned = (monitorId: string): Refusal =>
  new Refusal("not_found", `monitor ${shortId(monitorId)} is not assigned to this location`);
