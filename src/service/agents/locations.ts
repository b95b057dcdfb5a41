import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import { periodicities } from "#check/definition";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import { hashCredential } from "#service/edge/credential";
import {
  because,
  noLocation,
  noMonitor,
  Refusal,
  refuseViolations,
  shortId,
} from "#service/edge/call-refusal";
import { type LocationState, locationState } from "#service/monitors/location-state";
import { locationViolations } from "#service/agents/location-rules";
import { LocationTokens } from "#service/agents/location-tokens";
import type { Monitors } from "#service/monitors/monitors";
import type { LocationDefinition } from "#service/resources/location-definition";
import type { SecretBox } from "#service/edge/secret-box";
import { integerOf, type LocationId, locationId, type MonitorId } from "#service/store/ids";
import type {
  CallingLocation,
  CountedLocation,
  LocationInUse,
  LocationRow,
  LocationWithMonitors,
} from "#service/store/state-store";
import type { Store } from "#service/store/store";
import type { Millis } from "#base/units";

/** What is said of a location. */
interface StateFacts {
  readonly state: LocationState;
}

/** A location and what is said of it. */
export type StoredLocation = LocationWithMonitors & StateFacts;

/** The same without its monitors, of which there may be thousands. */
export type BriefLocation = LocationRow & StateFacts;

/** The same as a list shows it. */
export type ListedLocation = CountedLocation & StateFacts;

/** The same as the judge looks at it. */
export type WatchedLocation = LocationInUse & StateFacts;

export interface LocationArguments extends LocationDefinition {
  readonly monitorIds: readonly string[];
}

/** What is null stays. */
export type LocationChanges = {
  readonly [F in keyof LocationArguments]: LocationArguments[F] | null;
};

interface ShortestPeriod {
  readonly revision: string;
  /** Null if no monitor is active. */
  readonly period: Millis | null;
}

/** Private locations: their monitors, their tokens, and when an agent of theirs last called. */
export class Locations {
  readonly #locations: Store["state"]["locations"];
  readonly #monitors: Monitors;
  readonly #clock: Clock;
  readonly tokens: LocationTokens;
  readonly #shortest = new Map<LocationId, ShortestPeriod>();

  constructor(store: Store, monitors: Monitors, clock: Clock, box: SecretBox) {
    this.#locations = store.state.locations;
    this.#monitors = monitors;
    this.#clock = clock;
    this.tokens = new LocationTokens(store, clock, box);
  }

  /** The id that a text says: today's, or the one that the location had before ids were integers. */
  async idOf(text: string): Promise<LocationId | null> {
    const integer = integerOf(text);
    return integer === null ? this.#locations.idOfUid(text) : locationId(integer);
  }

  /** The token is in this answer, and sealed in the store. */
  async create(
    wanted: LocationArguments,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const monitors = await this.#refuse(wanted);
    if ((await this.count()) >= limits.serviceLocationsMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceLocationsMax} private locations already`,
      );
    const { name, metadata } = wanted;
    const at = this.#clock.wall();
    const uid = randomUUID();
    const { token, made } = this.tokens.sealedFor(uid);
    const location = { name, metadata, monitors, owner: "", labels: {}, at };
    return { id: String(await this.#locations.create(location, made, uid)), token };
  }

  /** What is left out stays as it is. */
  async update(id: string, { monitorIds, ...definition }: LocationChanges): Promise<void> {
    const current = await this.#row(id);
    // What stays was let pass before, perhaps by other limits.
    const monitors = await this.#refuse({
      name: definition.name ?? current.name,
      metadata: definition.metadata ?? {},
      monitorIds: monitorIds ?? [],
    });
    const changed = await this.#locations.update(current.id, {
      ...definition,
      monitors: monitorIds === null ? null : monitors,
      ownership: null,
      at: this.#clock.wall(),
    });
    if (!changed) throw noLocation(id);
  }

  async delete(id: string): Promise<void> {
    const known = await this.idOf(id);
    if (known === null || !(await this.#locations.delete(known))) throw noLocation(id);
  }

  async get(id: string): Promise<StoredLocation> {
    return this.#stated(await this.#row(id));
  }

  /** Those of them that are there. */
  async among(ids: readonly LocationId[]): Promise<readonly BriefLocation[]> {
    return this.#eachStated(await this.#locations.among(ids));
  }

  async list(limit: number, offset: number): Promise<readonly ListedLocation[]> {
    return this.#eachStated(await this.#locations.list({ limit, offset }));
  }

  /** All of them: the judge looks every few seconds, so their monitors are asked for where they matter. */
  async all(): Promise<readonly WatchedLocation[]> {
    return this.#eachStated(await this.#locations.all());
  }

  /** The monitors of some locations, each once, in any order. */
  async monitorsOf(ids: readonly LocationId[]): Promise<readonly MonitorId[]> {
    const found = new Set<MonitorId>();
    for (let first = 0; first < ids.length; first += limits.locationsReadAtOnce)
      for (const id of await this.#locations.monitorsOf(
        ids.slice(first, first + limits.locationsReadAtOnce),
      ))
        found.add(id);
    return [...found];
  }

  count(): Promise<number> {
    return this.#locations.count();
  }

  /** The location that a token belongs to; refused when it is missing, unknown or no longer valid. */
  async authenticate(token: string | null): Promise<CallingLocation> {
    if (token === null || token === "")
      throw new Refusal(
        "unauthenticated",
        "the header with the location's token is missing",
        because("TOKEN_REQUIRED"),
      );
    const location = await this.#locations.ofToken(hashCredential(token));
    if (location === null || (await this.#isRefused(location)))
      throw new Refusal(
        "unauthenticated",
        "the location's token is unknown or no longer valid",
        because("TOKEN_INVALID"),
      );
    return location;
  }

  /** Whether the token has ended. That an agent still calls with it is noted: the pages say so. */
  async #isRefused({ id, refused, token }: CallingLocation): Promise<boolean> {
    const now = this.#clock.wall();
    if (token.validUntil === null || token.validUntil > now) return false;
    const isNoted = refused !== null && Math.abs(now - refused.at) < limits.refusalNotedEvery;
    if (!isNoted) await this.#locations.refused(id, { at: now, tokenEndedAt: token.validUntil });
    return true;
  }

  /** The revision of the location of each token that works, by the tokens' hashes. */
  revisionsOf(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#locations.revisionsOf(hashes, this.#clock.wall());
  }

  /** An agent of the location has called. What was noted a moment ago is not written again. */
  async seen(location: CallingLocation, by: LocationRow["lastSeenBy"]): Promise<void> {
    const { id, lastSeenAt, lastSeenBy, stoppedAt, token } = location;
    const now = this.#clock.wall();
    const isNoted = [lastSeenAt, token.calledAt].every(
      (at) => at !== null && Math.abs(now - at) < limits.signNotedEvery,
    );
    if (isNoted && lastSeenBy === by && stoppedAt === null) return;
    await this.#locations.seen(id, now, by, token.hash);
  }

  /** An empty pull: of an agent without heartbeats, or of a person; where agents send heartbeats, those count. */
  async pulled(location: CallingLocation): Promise<void> {
    const { lastSeenAt, lastSeenBy } = location;
    if (lastSeenAt === null || lastSeenBy === "call") await this.seen(location, "call");
  }

  /** The last agent of the location has said goodbye. */
  async stopped(location: CallingLocation): Promise<void> {
    await this.seen(location, "heartbeat");
    await this.#locations.stopped(location.id, this.#clock.wall());
  }

  async #row(id: string): Promise<LocationWithMonitors> {
    const known = await this.idOf(id);
    const row = known === null ? null : await this.#locations.get(known);
    if (row === null) throw noLocation(id);
    return row;
  }

  async #refuse({ name, monitorIds, metadata }: LocationArguments): Promise<readonly MonitorId[]> {
    const violations = [...locationViolations({ name, metadata })];
    const assigned = new Set(monitorIds);
    if (assigned.size > checkLimits.monitorsPerAgentMax)
      violations.push({
        field: "monitor_ids",
        message: `has ${assigned.size} entries, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
      });
    refuseViolations(violations);
    return this.#monitorIds([...assigned]);
  }

  /** A location may have thousands: the store is asked for all of them together. */
  async #monitorIds(texts: readonly string[]): Promise<readonly MonitorId[]> {
    const wanted = new Map<MonitorId, string>();
    for (const text of texts) {
      const id = await this.#monitors.idOf(text);
      if (id === null) throw invalidMonitorId(text);
      wanted.set(id, text);
    }
    const there = new Set((await this.#monitors.among([...wanted.keys()])).map(({ id }) => id));
    for (const [id, text] of wanted) if (!there.has(id)) throw noMonitor(text);
    return [...wanted.keys()];
  }

  #eachStated<L extends LocationRow>(rows: readonly L[]): Promise<readonly (L & StateFacts)[]> {
    return Promise.all(rows.map((row) => this.#stated(row)));
  }

  async #stated<L extends LocationRow>(row: L): Promise<L & StateFacts> {
    return { ...row, state: await this.#stateOf(row) };
  }

  async #stateOf(row: LocationRow): Promise<LocationState> {
    // Only who sends no heartbeats is waited for by the period of the monitors.
    const shortestPeriod = row.lastSeenBy === "call" ? await this.#shortestPeriod(row) : null;
    return locationState({ ...row, shortestPeriod }, this.#clock.wall());
  }

  /** A location's monitors change with its revision, so they are read once for each. */
  async #shortestPeriod({ id, revision }: LocationRow): Promise<Millis | null> {
    const before = this.#shortest.get(id);
    if (before?.revision === revision) return before.period;
    const active = await this.#monitors.assignedTo(id);
    const periods = active.flatMap(({ definition }) => periodicities[definition.periodicity] ?? []);
    const period = periods.reduce<Millis | null>(
      (least, one) => (least === null || one < least ? one : least),
      null,
    );
    // Those of locations that were deleted go, too.
    if (this.#shortest.size >= limits.serviceLocationsMax) this.#shortest.clear();
    this.#shortest.set(id, { revision, period });
    return period;
  }
}

/** Neither a number nor the id that a monitor had before ids were numbers. */
const invalidMonitorId = (text: string): Refusal =>
  new Refusal(
    "invalid_argument",
    `monitor_ids holds "${shortId(text)}", which is not an id: give the number that the monitor is listed with`,
    because("INVALID_MONITOR_ID"),
  );
