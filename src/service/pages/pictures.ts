import { periodicities } from "#check/definition";
import { assignedMonitor } from "#check/read-monitor";
import { shownTarget } from "#check/shown-target";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { calendarOf, type Day, dayLength } from "#page/chart/calendar";
import { type JudgedMonitor, seenAs } from "#service/judge/judged-monitor";
import { counts, type MonitorState } from "#service/judge/judge";
import { rhythmOf } from "#service/judge/view";
import type { PageRooms } from "#service/pages/page-rooms";
import { daysOf, usualOf } from "#service/pages/past-days";
import type {
  Picture,
  PicturedIncident,
  PicturedLocation,
  PicturedMonitor,
  PicturedReason,
  PicturedStatus,
  Sight,
} from "#service/pages/picture";
import type { StoredLocation } from "#service/locations";
import type { LocationId, MonitorId } from "#store/ids";
import type { ResultKey, View } from "#store/result-store";
import { beginOf } from "#store/rollup";
import type { MonitorRow } from "#store/state-store";
import {
  after,
  between,
  epochMillis,
  type EpochMillis,
  millis,
  type Millis,
  type Nanos,
} from "#units";

/**
 * Pictures of the service, taken when somebody looks. One that is a moment old is shown again, and whoever comes while
 * one is taken waits for that: a hundred readers ask as much of the database as one.
 */
export class Pictures {
  readonly #rooms: PageRooms;
  #last: { readonly picture: Picture; readonly at: Nanos } | null = null;
  #taking: Promise<Picture> | null = null;
  #past: Past | null = null;

  constructor(rooms: PageRooms) {
    this.#rooms = rooms;
  }

  now(): Promise<Picture> {
    const { clock } = this.#rooms;
    const last = this.#last;
    if (last !== null && clock.monotonic() - last.at < limits.pictureFreshFor * 1e6)
      return Promise.resolve(last.picture);
    this.#taking ??= this.#take().finally(() => {
      this.#taking = null;
    });
    return this.#taking;
  }

  async #take(): Promise<Picture> {
    const { monitors, locations, clock } = this.#rooms;
    const at = clock.wall();
    const [rows, places] = await Promise.all([
      monitors.list(serviceLimits.serviceMonitorsMax, 0),
      locations.list(serviceLimits.serviceLocationsMax, 0),
    ]);
    const ids = rows.map(({ id }) => id);
    const [judged, past, today, views, incidents] = await Promise.all([
      this.#rooms.judging.judged(rows),
      this.#pastOf(ids, at),
      this.#buckets(ids, beginOf("day", at), after(at, millis(1))),
      this.#views(ids),
      this.#incidents(),
    ]);
    const facts = {
      past,
      today: daysOf(today),
      places: new Map(places.map((one) => [one.id, one])),
      views,
      incidents,
    };
    const reasons = await this.#reasons(judged);
    const picture = {
      at,
      locations: places.map(pictured),
      monitors: judged.map((one) =>
        monitorPicture(one, facts, reasons.get(one.row.id) ?? null, at),
      ),
    };
    this.#last = { picture, at: clock.monotonic() };
    return picture;
  }

  /** What lies before today changes only by a backlog: it is read again when the day is over, and every hour. */
  async #pastOf(ids: readonly MonitorId[], at: EpochMillis): Promise<Past> {
    const today = beginOf("day", at);
    const past = this.#past;
    const isNew = (id: MonitorId): boolean => past?.asked.has(id) !== true;
    if (past !== null && past.today === today && between(past.readAt, at) < limits.pastReadEvery) {
      const added = ids.filter(isNew);
      if (added.length === 0) return past;
    }
    const from = epochMillis(today - (limits.daysShown - 1) * dayLength);
    const buckets = await this.#buckets(ids, from, today);
    const lately = buckets.filter(({ begin }) => begin >= today - limits.usualDays * dayLength);
    this.#past = {
      today,
      readAt: at,
      asked: new Set(ids),
      days: daysOf(buckets),
      usual: usualOf(lately),
    };
    return this.#past;
  }

  /** In portions, so that others' questions come between. */
  async #buckets(ids: readonly MonitorId[], from: EpochMillis, to: EpochMillis) {
    const portions = await Promise.all(
      portionsOf(ids).map((monitors) =>
        this.#rooms.store.results.buckets({ monitors, location: null, grain: "day", from, to }),
      ),
    );
    return portions.flat();
  }

  async #views(ids: readonly MonitorId[]): Promise<ReadonlyMap<MonitorId, readonly View[]>> {
    const portions = await Promise.all(
      portionsOf(ids).map((monitors) => this.#rooms.store.results.views(monitors)),
    );
    return Map.groupBy(portions.flat(), ({ monitor }) => monitor);
  }

  /** The newest open incident of each monitor that has one. */
  async #incidents(): Promise<ReadonlyMap<number, PicturedIncident>> {
    const { incidents } = await this.#rooms.store.alerts.incidents.list({
      isOpen: true,
      kind: "monitor",
      subject: null,
      location: null,
      cause: null,
      limit: serviceLimits.serviceMonitorsMax,
      offset: 0,
    });
    return new Map(
      incidents.map(({ incident: { subject, number, acknowledged } }) => [
        subject.id,
        { number, acknowledged: acknowledged !== null },
      ]),
    );
  }

  /** The newest failing result of each monitor that is not well says why. */
  async #reasons(
    judged: readonly JudgedMonitor[],
  ): Promise<ReadonlyMap<MonitorId, PicturedReason>> {
    const keys = judged.flatMap(({ row, judgement, views }): ResultKey[] => {
      const { status } = judgement.state;
      if (status !== "error" && status !== "degraded") return [];
      const [newest] = views
        .filter((view) => seenAs[view.status] === status)
        .toSorted((a, b) => b.slot - a.slot);
      return newest === undefined
        ? []
        : [{ monitor: row.id, location: newest.location, slot: newest.slot }];
    });
    const found = await this.#rooms.store.results.reasons(keys.slice(0, limits.reasonsReadMax));
    return new Map(found.map(({ key, ...reason }) => [key.monitor, reason]));
  }
}

interface Past {
  readonly today: EpochMillis;
  readonly readAt: EpochMillis;
  readonly asked: ReadonlySet<MonitorId>;
  readonly days: ReadonlyMap<MonitorId, readonly Day[]>;
  readonly usual: ReadonlyMap<MonitorId, Millis | null>;
}

interface PictureFacts {
  readonly past: Past;
  readonly today: ReadonlyMap<MonitorId, readonly Day[]>;
  readonly places: ReadonlyMap<LocationId, StoredLocation>;
  readonly views: ReadonlyMap<MonitorId, readonly View[]>;
  readonly incidents: ReadonlyMap<number, PicturedIncident>;
}

function monitorPicture(
  { row, judgement, views, lastCheckedAt }: JudgedMonitor,
  { past, today, places, views: allViews, incidents }: PictureFacts,
  reason: PicturedReason | null,
  at: EpochMillis,
): PicturedMonitor {
  const { id, definition, labels } = row;
  const rhythm = rhythmOf(definition);
  const byLocation = new Map(views.map((view) => [view.location, view]));
  const seenBy = row.locations.map((location): Sight => {
    const view = byLocation.get(location);
    return {
      location,
      name: places.get(location)?.name ?? "",
      status: view === undefined ? "unknown" : seenAs[view.status],
      slot: view?.slot ?? null,
      stale: view !== undefined && !counts(view, rhythm, at),
    };
  });
  const { status } = judgement.state;
  return {
    id,
    name: definition.name,
    kind: definition.kind,
    target: targetOf(row),
    labels,
    period: periodicities[definition.periodicity] ?? millis(0),
    status: statusOf(definition.active, status),
    since: sinceOf(judgement.state, seenBy, views),
    lastCheckedAt,
    seenBy,
    reason,
    incident: incidents.get(id) ?? null,
    latency: newestLatency(allViews.get(id) ?? []),
    usual: past.usual.get(id) ?? null,
    days: calendarOf(
      [...(past.days.get(id) ?? []), ...(today.get(id) ?? [])],
      beginOf("day", at),
      limits.daysShown,
    ),
  };
}

/** Of what is not well, the first slot in a row that said so: the judge may have come later. */
function sinceOf(
  { status, since }: MonitorState,
  seenBy: readonly Sight[],
  views: JudgedMonitor["views"],
): EpochMillis | null {
  const counted = new Set(seenBy.filter(({ stale }) => !stale).map(({ location }) => location));
  const begun = views
    .filter((view) => counted.has(view.location) && seenAs[view.status] === status)
    .map((view) => view.since);
  if (status !== "active" && status !== "unknown" && begun.length > 0)
    return epochMillis(Math.min(...begun));
  return since === 0 ? null : since;
}

const statusOf = (active: boolean, status: PicturedStatus): PicturedStatus =>
  active ? status : "inactive";

/** As the agents show it: what could not be read as a target may hold a password all the same. */
export function targetOf({ id, definition }: Pick<MonitorRow, "id" | "definition">): string {
  const { monitor } = assignedMonitor(String(id), definition);
  return monitor === null ? "" : shownTarget(monitor);
}

function newestLatency(views: readonly View[]): Millis | null {
  const [newest] = views
    .flatMap(({ seen }) => (seen === null || seen.status === "error" ? [] : [seen]))
    .toSorted((a, b) => b.slot - a.slot);
  return newest?.latency ?? null;
}

const pictured = ({ id, name, state, lastSeenAt, monitors }: StoredLocation): PicturedLocation => ({
  id,
  name,
  state,
  lastSeenAt,
  monitors: monitors.length,
});

const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / limits.picturedAtOnce) }, (_, portion) =>
    all.slice(portion * limits.picturedAtOnce, (portion + 1) * limits.picturedAtOnce),
  );
