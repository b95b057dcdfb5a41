import type { Clock } from "#base/clock";
import * as alertsLimits from "#limits/alerts-limits";
import * as processLimits from "#limits/process-limits";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import { Bell } from "#service/edge/bell";
import type { Instances } from "#service/agents/instances";
import type { Locations } from "#service/agents/locations";
import { forgetting, type Replica } from "#service/edge/replica";
import type { Results } from "#service/agents/results";
import { forgottenBy } from "#service/status-site/news/page-readers";
import type { SteadyClock } from "#base/steady-clock";
import type { Store } from "#service/store/store";
import { epochMillis, type Millis } from "#base/units";

export interface UpkeepRooms {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly replica: Replica;
  readonly locations: Locations;
  readonly results: Results;
  readonly instances: Instances;
}

interface UpkeepWays {
  readonly clock: Clock;
  readonly log: Logger;
  /** How old results are when they are packed. */
  readonly packAfter: Millis;
}

/** What the service does by itself next to judging: it follows the machine's clock, packs results, and forgets what is old. */
export class Upkeep {
  readonly #rooms: UpkeepRooms;
  /** The machine's: a pause is a pause, whatever the time is. */
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #packAfter: Millis;
  readonly #bell = new Bell();

  constructor(rooms: UpkeepRooms, { clock, log, packAfter }: UpkeepWays) {
    this.#packAfter = packAfter;
    this.#rooms = rooms;
    this.#clock = clock;
    this.#log = log;
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#keepTime(signal),
      this.#forget(signal),
      this.#purge(signal),
      this.#pack(signal),
    ]);
  }

  /** There may be something to forget that was another replica's to forget before. */
  ring(): void {
    this.#bell.ring();
  }

  /** Small corrections of the clock count at once, one that was set when it has stood for a while. */
  async #keepTime(signal: AbortSignal): Promise<void> {
    const { clock, store } = this.#rooms;
    while (!signal.aborted) {
      const { noticed, taken } = clock.look();
      if (noticed !== 0)
        this.#log.warn(
          `this machine's clock was set: the service keeps its own time, unless the new one stays for ${processLimits.wallStepTakenAfter / 60_000} minutes`,
          { "step in seconds": noticed / 1000 },
        );
      try {
        if (taken !== 0) await store.state.locations.shiftSigns(taken);
      } catch (error) {
        this.#failed("could not note that the clock was set", error);
      }
      await this.#clock.sleep(processLimits.wallLookEvery, signal);
    }
  }

  /** Every few minutes, in one replica; a failure is logged and tried again the next time. */
  async #forget(signal: AbortSignal): Promise<void> {
    const { replica, instances, locations, store, clock } = this.#rooms;
    while (!signal.aborted) {
      try {
        if (replica.holds(forgetting)) {
          await instances.forgetOld();
          await locations.tokens.forgetOld();
          await store.state.locations.forgetChanges();
          await this.#forgetResults(signal);
          await this.#forgetDeliveries(signal);
          await store.readers.subscribers.forget(forgottenBy(clock.withoutSteps));
          await store.state.endedSessions.forget(clock.withoutSteps);
          await store.people.sessions.forget(clock.withoutSteps);
          await store.people.keptForms.forget(clock.withoutSteps);
          await this.#forgetChanges(signal);
        }
      } catch (error) {
        this.#failed("could not delete old results", error);
      }
      await this.#bell.wait(this.#clock, limits.forgetEvery, signal);
    }
  }

  /** A little at a time: other writes go in between. */
  async #forgetResults(signal: AbortSignal): Promise<void> {
    const { results, replica } = this.#rooms;
    while (!signal.aborted && replica.holds(forgetting) && (await results.forgetSome()))
      await this.#clock.sleep(limits.forgetPause, signal);
  }

  /** In one replica, and a few hours of series at a time: other results are stored in between. */
  async #pack(signal: AbortSignal): Promise<void> {
    const { results, replica } = this.#rooms;
    await this.#clock.sleep(limits.packBeginsAfter, signal);
    while (!signal.aborted) {
      try {
        while (
          !signal.aborted &&
          replica.holds(forgetting) &&
          (await results.packSome(this.#packAfter))
        )
          await this.#clock.sleep(limits.packPause, signal);
      } catch (error) {
        this.#failed("could not pack results", error);
      }
      await this.#clock.sleep(limits.packEvery, signal);
    }
  }

  async #forgetDeliveries(signal: AbortSignal): Promise<void> {
    const { store, clock, replica } = this.#rooms;
    const before = epochMillis(clock.withoutSteps - alertsLimits.deliveriesKeptFor);
    const more = (): Promise<boolean> => store.alerts.deliveries.forget(before);
    while (!signal.aborted && replica.holds(forgetting) && (await more()))
      await this.#clock.sleep(limits.forgetPause, signal);
  }

  /** What was deleted goes as soon as it cannot be put back any more. */
  async #purge(signal: AbortSignal): Promise<void> {
    const { store, clock, replica } = this.#rooms;
    while (!signal.aborted) {
      try {
        const before = epochMillis(clock.withoutSteps - limits.undoneWithin);
        while (!signal.aborted && replica.holds(forgetting) && (await store.trash.purge(before)))
          await this.#clock.sleep(limits.forgetPause, signal);
      } catch (error) {
        this.#failed("could not purge what was deleted", error);
      }
      await this.#clock.sleep(limits.purgeEvery, signal);
    }
  }

  async #forgetChanges(signal: AbortSignal): Promise<void> {
    const { store, clock, replica } = this.#rooms;
    const before = epochMillis(clock.withoutSteps - limits.auditKeptFor);
    while (!signal.aborted && replica.holds(forgetting) && (await store.audit.forget(before)))
      await this.#clock.sleep(limits.forgetPause, signal);
  }

  #failed(what: string, error: unknown): void {
    this.#log.error(what, { "error.message": String(error) });
  }
}
