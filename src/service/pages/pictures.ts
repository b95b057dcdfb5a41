import { isDeepStrictEqual } from "node:util";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { calendarOf, type Day, dayLength } from "#page/chart/calendar";
import { type JudgedMonitor, seenAs } from "#service/judge/judged-monitor";
import { type Calendar, monitorPicture, type Past } from "#service/pages/monitor-picture";
import type { PageRooms } from "#service/pages/page-rooms";
import { daysOf, usualOf } from "#service/pages/past-days";
import type {
  Picture,
  PicturedIncident,
  PicturedLocation,
  PicturedReason,
} from "#service/pages/picture";
import type { ListedLocation } from "#service/locations";
import type { MonitorId } from "#store/ids";
import type { DayTable, ResultKey, View } from "#store/result-store";
import { beginOf } from "#store/rollup";
import { after, between, epochMillis, type EpochMillis, millis, type Nanos } from "#units";

/**
 * Pictures of the service, taken when somebody looks. One that is some seconds old is shown again while the next one is
 * taken, and whoever comes while one is taken waits for that: a hundred readers ask as much of the database as one.
 */
export class Pictures {
  readonly #rooms: PageRooms;
  #last: { readonly picture: Picture; readonly at: Nanos } | null = null;
  #taking: Promise<Picture> | null = null;
  #past: Past | null = null;
  #calendars: ReadonlyMap<MonitorId, Calendar> = new Map();

  constructor(rooms: PageRooms) {
    this.#rooms = rooms;
  }

  now(): Promise<Picture> {
    const { clock } = this.#rooms;
    const last = this.#last;
    const age = last === null ? Infinity : (clock.monotonic() - last.at) / 1e6;
    if (last !== null && age < limits.pictureFreshFor) return Promise.resolve(last.picture);
    this.#taking ??= this.#begin();
    if (last === null || age >= limits.pictureShownFor) return this.#taking;
    // A fault of the store is said to whoever waits for a picture; this one was taken before it.
    this.#taking.catch(() => {});
    return Promise.resolve(last.picture);
  }

  /** Somebody has changed something by a form, and is to see it at once. */
  outdate(): void {
    this.#last = null;
    this.#taking = null;
  }

  /** One that was begun before somebody changed something is for those alone who waited for it. */
  #begin(): Promise<Picture> {
    const taking = this.#take()
      .then((picture) => {
        if (this.#taking === taking) this.#last = { picture, at: this.#rooms.clock.monotonic() };
        return picture;
      })
      .finally(() => {
        if (this.#taking === taking) this.#taking = null;
      });
    return taking;
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
      this.#days(ids, beginOf("day", at), after(at, millis(1))),
      this.#views(ids),
      this.#incidents(),
    ]);
    const facts = {
      past,
      calendars: this.#calendarsOf(ids, past, daysOf(today)),
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
    const daysAgo = (days: number): EpochMillis => epochMillis(today - days * dayLength);
    const [days, lately] = await Promise.all([
      this.#days(ids, daysAgo(limits.daysShown - 1), today),
      this.#buckets(ids, daysAgo(limits.usualDays), today),
    ]);
    const asked = new Set(ids);
    this.#past = { today, readAt: at, asked, days: daysOf(days), usual: usualOf(lately) };
    return this.#past;
  }

  /** What has not changed since the last picture is the same object: its bar is not drawn again. */
  #calendarsOf(
    ids: readonly MonitorId[],
    past: Past,
    today: ReadonlyMap<MonitorId, readonly Day[]>,
  ): ReadonlyMap<MonitorId, Calendar> {
    const before = this.#calendars;
    this.#calendars = new Map(
      ids.map((id) => {
        const now = today.get(id) ?? [];
        const known = before.get(id);
        if (known?.past === past && isDeepStrictEqual(known.today, now)) return [id, known];
        const days = calendarOf(
          [...(past.days.get(id) ?? []), ...now],
          past.today,
          limits.daysShown,
        );
        return [id, { past, today: now, days }];
      }),
    );
    return this.#calendars;
  }

  /** In portions, so that others' questions come between; the oldest first. */
  #days(
    monitors: readonly MonitorId[],
    from: EpochMillis,
    to: EpochMillis,
  ): Promise<readonly DayTable[]> {
    const daysAtOnce = Math.max(1, Math.floor(limits.daysPicturedAtOnce / monitors.length));
    const length = millis(daysAtOnce * dayLength);
    const begins = Array.from({ length: Math.ceil(between(from, to) / length) }, (_, portion) =>
      after(from, millis(portion * length)),
    );
    return Promise.all(
      begins.map((begin) => {
        const end = epochMillis(Math.min(to, begin + length));
        return this.#rooms.store.results.days({ monitors, from: begin, to: end });
      }),
    );
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

const pictured = (location: ListedLocation): PicturedLocation => {
  const { id, name, state, lastSeenAt, monitorCount: monitors } = location;
  return { id, name, state, lastSeenAt, monitors };
};

const portionsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / limits.picturedAtOnce) }, (_, portion) =>
    all.slice(portion * limits.picturedAtOnce, (portion + 1) * limits.picturedAtOnce),
  );
