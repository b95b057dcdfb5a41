import { endingWords } from "#check/certificate-ending";
import { capital } from "#base/text";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { type JudgedMonitor, seenAs } from "#service/monitors/judged-monitor";
import { KeptPast } from "#service/operator/kept-past";
import { monitorPicture } from "#service/operator/monitor-picture";
import type { PageRooms } from "#service/operator/page-rooms";
import type {
  Picture,
  PicturedIncident,
  PicturedLocation,
  PicturedMonitor,
  PicturedReason,
} from "#service/operator/picture";
import type { ListedLocation } from "#service/agents/locations";
import type { MonitorId } from "#service/store/ids";
import type { ResultKey } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import { type EpochMillis, type Nanos, nanos, nanosToMillis } from "#base/units";

type PictureRooms = Pick<PageRooms, "store" | "clock" | "monitors" | "locations" | "judging">;

/** A picture, and when it was begun. */
interface TakenPicture {
  readonly picture: Picture;
  readonly at: Nanos;
}

/** A picture, and one monitor in it. */
interface PictureOfMonitor {
  readonly picture: Picture;
  readonly monitor: PicturedMonitor;
}

/**
 * Pictures of the service. One that is some seconds old is shown again while the next one is taken, and whoever comes
 * while one is taken waits for that: a hundred readers ask as much of the database as one.
 */
export class Pictures {
  readonly #rooms: PictureRooms;
  readonly #past: KeptPast;
  #last: TakenPicture | null = null;
  #taking: Promise<TakenPicture> | null = null;
  /** What is to be checked where, until a person changes that. */
  #rows: Promise<readonly MonitorRow[]> | null = null;
  /** Whoever starts a service looks soon. */
  #lookedAt: Nanos;

  constructor(rooms: PictureRooms) {
    this.#rooms = rooms;
    this.#lookedAt = rooms.clock.monotonic();
    this.#past = new KeptPast(rooms.store.results);
    rooms.store.onChange((change) => {
      if (change !== "assignments") return;
      this.#rows = null;
      this.outdate();
    });
  }

  now(): Promise<Picture> {
    this.#lookedAt = this.#rooms.clock.monotonic();
    const last = this.#last;
    const age = last === null ? Infinity : this.#since(last.at);
    if (last !== null && age < limits.pictureFreshFor) return Promise.resolve(last.picture);
    if (last === null || age >= limits.pictureShownFor) return this.#next();
    // A fault of the store is said to whoever waits for a picture; this one was taken before it.
    this.#taken().catch(() => {});
    return Promise.resolve(last.picture);
  }

  /** Does what a look would wait for: takes the first picture, reads the past, and renews both. Null if nothing is due. */
  async prepare(): Promise<Picture | null> {
    const { monitors, clock } = this.#rooms;
    const isLookedAt = this.#since(this.#lookedAt) < limits.pictureRenewedFor;
    const isTime = this.#last === null || isLookedAt;
    const at = clock.wall();
    const isPastDue = this.#past.isDue(at, limits.pastReadAhead);
    if (!isTime && !isPastDue) return null;
    const count = await monitors.count();
    if (count === 0 || count > limits.preparedMonitorsMax) return null;
    if (isPastDue && this.#last !== null) {
      const rows = await this.#rowsNow();
      await this.#past.renew(
        rows.map(({ id }) => id),
        at,
      );
    }
    return isTime ? (await this.#taken()).picture : null;
  }

  /**
   * A monitor of the store, with the picture that it is in. A picture in which it is missing is older than the monitor, as
   * while another replica's news of it is on its way: a new one is taken. Null if it was deleted meanwhile.
   */
  async withMonitor(id: MonitorId): Promise<PictureOfMonitor | null> {
    const found = (picture: Picture): PictureOfMonitor | null => {
      const monitor = picture.monitors.find((one) => one.id === id);
      return monitor === undefined ? null : { picture, monitor };
    };
    const shown = found(await this.now());
    if (shown !== null) return shown;
    this.#rows = null;
    this.outdate();
    return found(await this.now());
  }

  /** A person has changed something, and is to see it at once. */
  outdate(): void {
    this.#last = null;
    this.#taking = null;
  }

  #since(instant: Nanos): number {
    return nanosToMillis(nanos(this.#rooms.clock.monotonic() - instant));
  }

  /** One that was begun long ago, while the database stood still, is too old when it comes. */
  async #next(): Promise<Picture> {
    const taken = await this.#taken();
    const isCurrent = this.#since(taken.at) < limits.pictureShownFor;
    return (isCurrent ? taken : await this.#taken()).picture;
  }

  #taken(): Promise<TakenPicture> {
    return (this.#taking ??= this.#begin());
  }

  /** One that was begun before a change is for those alone who waited for it. */
  #begin(): Promise<TakenPicture> {
    const at = this.#rooms.clock.monotonic();
    const taking = this.#take()
      .then((picture) => {
        const taken = { picture, at };
        if (this.#taking === taking) this.#last = taken;
        return taken;
      })
      .finally(() => {
        if (this.#taking === taking) this.#taking = null;
      });
    return taking;
  }

  async #take(): Promise<Picture> {
    const { locations, judging, clock } = this.#rooms;
    const at = clock.wall();
    const [rows, places, incidents] = await Promise.all([
      this.#rowsNow(),
      locations.list(serviceLimits.serviceLocationsMax, 0),
      this.#incidents(),
    ]);
    const ids = rows.map(({ id }) => id);
    const [judged, past] = await Promise.all([judging.judged(rows), this.#past.daysAt(ids, at)]);
    const facts = { ...past, places: new Map(places.map((one) => [one.id, one])), incidents };
    const reasons = await this.#reasons(judged);
    return {
      at,
      locations: places.map(pictured),
      monitors: judged.map((one) =>
        monitorPicture(one, facts, reasons.get(one.row.id) ?? certificateReason(one, at), at),
      ),
    };
  }

  /** Of a large service they are read each time: they would be 1 KiB of memory each. */
  async #rowsNow(): Promise<readonly MonitorRow[]> {
    const known = this.#rows;
    if (known !== null) return known;
    const reading = this.#rooms.monitors.list(serviceLimits.serviceMonitorsMax, 0);
    this.#rows = reading;
    const rows = await reading.catch((error: unknown) => {
      if (this.#rows === reading) this.#rows = null;
      throw error;
    });
    if (rows.length > limits.preparedMonitorsMax && this.#rows === reading) this.#rows = null;
    return rows;
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

/** A monitor whose checks are all good is degraded by the end of its certificate. */
const certificateReason = (
  { certificate: { isWhy, ending } }: JudgedMonitor,
  at: EpochMillis,
): PicturedReason | null =>
  !isWhy || ending === null
    ? null
    : { code: "certificate_ending", phase: "tls", message: capital(endingWords(ending, at)) };

const pictured = (location: ListedLocation): PicturedLocation => {
  const { id, name, state, lastSeenAt, monitorCount: monitors } = location;
  return { id, name, state, lastSeenAt, monitors };
};
