import type { MonitorStatus } from "#check/monitor-status";
import { regionOf, regions } from "#check/regions";
import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import type { Alerts } from "#service/alerts/alerts";
import { Bell } from "#service/edge/bell";
import { certificateStanding, withCertificate } from "#service/monitors/certificate-standing";
import { placeSince } from "#service/monitors/held-since";
import { counts, judge, type MonitorState } from "#service/monitors/judge";
import { rememberedState } from "#service/monitors/judge-memory";
import {
  type JudgedMonitor,
  type LocatedView,
  seenAs,
  unreadGaps,
  unreadMonitor,
} from "#service/monitors/judged-monitor";
import type { LocationStatus } from "#service/monitors/location-state";
import { rhythmOf } from "#service/monitors/view";
import type { Locations } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import { judgingOf, type Replica } from "#service/edge/replica";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Gap, View } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import {
  after,
  epochMillis,
  type EpochMillis,
  millis,
  nanos,
  type Nanos,
  nanosToMillis,
} from "#base/units";
import { numberOf } from "#wire/enum-words";

/**
 * Says what the monitors' status is. Whoever asks gets it as it is at that instant; what is kept says since when. One
 * replica keeps that for each monitor: the monitors are in parts, and each replica has leases for some of them.
 */
export class Judging {
  readonly #store: Store;
  readonly #monitors: Monitors;
  readonly #locations: Locations;
  readonly #alerts: Alerts;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #replica: Replica;
  readonly #bell = new Bell();
  /** What each location was at the last look, so that the monitors of one that has changed are judged. */
  #standings: ReadonlyMap<LocationId, LocationStatus> = new Map();
  #locationsLookedAt: Nanos = nanos(0);
  #lookedAt: Nanos | null = null;
  /** So many monitors are judged in one go. */
  #portion: number = limits.judgedAtOnce;
  /** Nothing is known of what the locations were. */
  #begins = true;

  constructor(
    store: Store,
    { monitors, locations, alerts, replica }: JudgedRooms,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#store = store;
    this.#monitors = monitors;
    this.#locations = locations;
    this.#alerts = alerts;
    this.#replica = replica;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * What is said of monitors now, in their order. A portion is asked for after the other: all at once would take every
   * connection to the database, and results would wait.
   */
  async judged(rows: readonly MonitorRow[]): Promise<readonly JudgedMonitor[]> {
    const all: JudgedMonitor[] = [];
    for (let first = 0; first < rows.length; first += limits.judgedAtOnce) {
      const portion = rows.slice(first, first + limits.judgedAtOnce);
      for (const one of await this.#judgedPart(portion)) all.push(one);
    }
    return all;
  }

  /** What is said of a monitor now, and what each of its locations sees. */
  async standing(row: MonitorRow): Promise<Standing> {
    const [judged] = await this.judged([row]);
    const views = new Map(judged?.views.map((view) => [view.location, view]));
    const rhythm = rhythmOf(row.definition);
    const now = this.#clock.wall();
    const state = judged?.judgement.state ?? neverJudged;
    const held = state.status === "unknown" ? null : state.since;
    const fresh = (judged?.views ?? []).filter((view) => counts(view, rhythm, now));
    const to = after(now, millis(1));
    const asked = { monitor: row.id, location: null, from: epochMillis(0), to };
    const isUnread = judged?.isUnread === true;
    const gaps = isUnread ? unreadGaps(row, now) : await this.#store.results.gaps(asked);
    const found = await this.#locations.among(row.locations);
    const locations = found
      .toSorted((a, b) => row.locations.indexOf(a.id) - row.locations.indexOf(b.id))
      .map(({ id, name, metadata }) => {
        const view = views.get(id);
        const region = regionNumber(name, metadata);
        const locationId = String(id);
        const gap = gaps.find(({ location }) => location === id) ?? null;
        const notMeasured = gap !== null && (view === undefined || view.slot < gap.to) ? gap : null;
        if (view === undefined) return { locationId, name, region, notMeasured, ...nothingSeen };
        return {
          locationId,
          name,
          region,
          notMeasured,
          status: seenAs[view.status],
          since: placeSince(view, fresh, held),
          lastCheckedAt: view.slot,
          stale: !fresh.includes(view),
        };
      });
    return { ...state, locations };
  }

  /** When a look at what is due last came to an end; null before the first one. */
  get lookedAt(): Nanos | null {
    return this.#lookedAt;
  }

  /** Judges what is due until `signal` aborts; a failure is logged once and the look repeated. */
  async run(signal: AbortSignal): Promise<void> {
    using _ = this.#store.onChange((change) => {
      if (change === "results" || change === "assignments") this.ring();
    });
    let failing = false;
    while (!signal.aborted) {
      try {
        await this.#look(signal);
        this.#lookedAt = this.#clock.monotonic();
        failing = false;
      } catch (error) {
        if (!failing)
          this.#log.error("could not judge the monitors", { "error.message": String(error) });
        failing = true;
      }
      await this.#bell.wait(this.#clock, limits.judgeEvery, signal);
    }
  }

  /** There may be something to judge. */
  ring(): void {
    this.#bell.ring();
  }

  /** There are monitors to judge that were another replica's: what it has not judged any more is not known here. */
  takeOver(): void {
    this.#begins = true;
    this.ring();
  }

  async #look(signal: AbortSignal): Promise<void> {
    // Results come many times a second, and there may be a thousand locations.
    const now = this.#clock.monotonic();
    const isTime = nanosToMillis(nanos(now - this.#locationsLookedAt)) >= limits.judgeEvery;
    if (isTime || this.#begins) {
      if (this.#begins) this.#standings = new Map();
      this.#begins = false;
      await this.#lookAtLocations();
      this.#locationsLookedAt = now;
    }
    while (!signal.aborted) {
      const rests = this.#replica.parts;
      if (rests.length === 0) return;
      const now = this.#clock.wall();
      const share = { parts: limits.judgeParts, rests };
      const due = await this.#store.state.states.due(now, share, limits.judgedAtOnce);
      await this.#judge(due);
      if (due.length < limits.judgedAtOnce) return;
    }
  }

  /** The monitors of a location that has fallen silent, or is back, are judged: their views count no more, or again. */
  async #lookAtLocations(): Promise<void> {
    const rests = this.#replica.parts;
    const all = await this.#locations.all();
    const turned = all.filter(({ id, state }) => this.#standings.get(id) !== state.status);
    const ids = await this.#locations.monitorsOf(turned.map(({ id }) => id));
    const own = ids.filter((id) => rests.includes(id % limits.judgeParts));
    await this.#judge(own);
    this.#standings = new Map(all.map(({ id, state }) => [id, state.status]));
    await this.#alerts.keepLocations(this.#replica.holder, all, (id) =>
      this.#replica.holds(leaseOf(id)) ? leaseOf(id) : null,
    );
  }

  /**
   * What is judged of a monitor is not kept where a result came meanwhile. Where all fail at once and the store is slow,
   * that would be so of most each time, and no incident would open: then the portions shrink until they are kept in time.
   */
  async #judge(ids: readonly MonitorId[]): Promise<void> {
    // Those of a lease next to each other: it is kept in one transaction for each.
    const left = ids.toSorted((a, b) => (a % limits.judgeParts) - (b % limits.judgeParts));
    let isInTime = true;
    while (left.length > 0) {
      const portion = left.splice(0, this.#portion);
      const judged = await this.judged(await this.#monitors.among(portion));
      const late = await this.#alerts.keepMonitors(this.#replica.holder, judged, leaseOf);
      if (late * 2 <= portion.length) continue;
      isInTime = false;
      this.#portion = Math.max(limits.judgedAtLeast, Math.floor(portion.length / 4));
    }
    if (isInTime) this.#portion = Math.min(limits.judgedAtOnce, this.#portion * 2);
  }

  async #judgedPart(rows: readonly MonitorRow[]): Promise<readonly JudgedMonitor[]> {
    const ids = rows.map(({ id }) => id);
    // The states first: what comes between the two makes a monitor due again.
    const states = await this.#store.state.states.of(ids);
    const { views: seen, unread } = await this.#store.results.seen(ids);
    const silent = await this.#silentAmong(new Set(seen.map(({ location }) => location)));
    const stateOf = new Map(states.map((state) => [state.monitor, rememberedState(state)]));
    const viewsOf = Map.groupBy(seen, ({ monitor }) => monitor);
    const now = this.#clock.wall();
    return rows.map((row) => {
      const all = viewsOf.get(row.id) ?? [];
      const views = all.flatMap((view) => locatedView(view, !silent.has(view.location)));
      if (unread.has(row.id)) return unreadMonitor(row, stateOf.get(row.id), now);
      const policy = { active: row.definition.active, ...rhythmOf(row.definition) };
      const state = stateOf.get(row.id);
      const before = state ?? neverJudged;
      const standing = certificateStanding(row.definition, all, now);
      const judged = withCertificate(judge(before, views, policy, now), standing, before, now);
      const newest = Math.max(
        0,
        ...all.map((one) => Math.max(one.newestSlot, one.seen?.slot ?? 0)),
      );
      const lastCheckedAt = newest === 0 ? null : epochMillis(newest);
      const generation = state?.generation ?? 0;
      return { row, ...judged, views, lastCheckedAt, generation, isUnread: false };
    });
  }

  async #silentAmong(ids: ReadonlySet<LocationId>): Promise<ReadonlySet<LocationId>> {
    const found = await this.#locations.among([...ids]);
    const heard = new Set(
      found.filter(({ state }) => state.status !== "error").map(({ id }) => id),
    );
    return new Set([...ids].filter((id) => !heard.has(id)));
  }
}

interface JudgedRooms {
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly alerts: Alerts;
  readonly replica: Replica;
}

/** Whose a monitor is, or a location. */
const leaseOf = (id: number): string => judgingOf(id % limits.judgeParts);

/** What one location saw last of a monitor. */
interface LocationStanding {
  readonly locationId: string;
  readonly name: string;
  /** The contract's number of the region that it is named by; 0 if it is none. */
  readonly region: number;
  readonly status: MonitorStatus;
  /** Null if nothing was seen. */
  readonly since: EpochMillis | null;
  readonly lastCheckedAt: EpochMillis | null;
  /** It is too old to count, or the location is silent, or cannot see. */
  readonly stale: boolean;
  /** Since when nothing was learned there, because the location itself is broken; null if that is not so. */
  readonly notMeasured: Gap | null;
}

export interface Standing extends MonitorState {
  readonly locations: readonly LocationStanding[];
}

const regionNumber = (name: string, { region }: Readonly<Record<string, string>>): number =>
  numberOf(regions, regionOf(region ?? name) ?? "");

const nothingSeen = { status: "unknown", since: null, lastCheckedAt: null, stale: false } as const;
const neverJudged: MonitorState = { status: "unknown", since: epochMillis(0) };

/** What a location saw before it could see nothing any more says nothing of now. */
function locatedView(
  { location, seen, blindSlot }: View,
  isHeard: boolean,
): readonly LocatedView[] {
  if (seen === null) return [];
  const { slot, status, since, recent, latency } = seen;
  const heard = isHeard && (blindSlot === null || blindSlot < slot);
  return [{ location, slot, status, since, recent, latency, heard, blindSlot }];
}
