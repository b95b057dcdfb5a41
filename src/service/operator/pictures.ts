import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { KeptPast } from "#service/operator/kept-past";
import { monitorPicture } from "#service/operator/monitor-picture";
import type { PageRooms } from "#service/operator/page-rooms";
import { briefPicture } from "#service/operator/pictures/brief-picture";
import { KnownMonitors } from "#service/operator/pictures/known-monitors";
import { labelsOf } from "#service/operator/pictures/label-pairs";
import { MonitorDirectory } from "#service/operator/pictures/monitor-directory";
import { OpenIncidents } from "#service/operator/pictures/open-incidents";
import {
  incidentsIn,
  openIncidents,
  type ReadFacts,
  reasonsOf,
} from "#service/operator/pictures/picture-facts";
import { picturedLocation, type Picture, type PicturedMonitor } from "#service/operator/picture";
import { withSilenceIncidents } from "#service/operator/pictures/silence-incidents";
import { turnedPicture } from "#service/operator/pictures/turned-picture";
import { plannedNow } from "#service/operator/planned/work-under-way";
import { unheardAmong } from "#service/operator/channels/unheard";
import { type MonitorId, monitorId } from "#service/store/ids";
import { StoreFault } from "#service/store/store-fault";
import { type EpochMillis, type Nanos, nanos, nanosToMillis } from "#base/units";

type PictureRooms = Pick<PageRooms, "store" | "clock" | "monitors" | "locations" | "judging">;

/** A picture, and when it was begun. */
interface TakenPicture {
  readonly picture: Picture;
  readonly at: Nanos;
  /** How many verdicts had come when it was begun, or what came since was looked at. */
  readonly turn: number;
}

/** A picture, and one monitor in it. */
interface PictureOfMonitor {
  readonly picture: Picture;
  readonly monitor: PicturedMonitor;
}

/**
 * Pictures of the service. One that is some seconds old is shown again before the next one is taken, and whoever comes
 * while one is taken waits for that: a hundred readers ask as much of the database as one. A verdict is shown at once:
 * whoever looks next reads what has turned since the picture was taken.
 */
export class Pictures {
  readonly openIncidents: OpenIncidents;
  readonly directory: MonitorDirectory;
  readonly rows: KnownMonitors;
  /** How often someone has looked. */
  looks = 0;
  readonly #rooms: PictureRooms;
  #past: KeptPast;
  #last: TakenPicture | null = null;
  #taking: Promise<TakenPicture> | null = null;
  /** Counts up at each verdict, of whatever replica. */
  #turn = 0;
  #turning: { readonly turn: number; readonly taken: Promise<TakenPicture> } | null = null;
  /** Whether a picture that is not fresh was shown. */
  #isDue = false;
  /** Whoever starts a service looks soon. */
  #lookedAt: Nanos;

  constructor(rooms: PictureRooms) {
    this.#rooms = rooms;
    this.openIncidents = new OpenIncidents(rooms);
    this.#lookedAt = rooms.clock.monotonic();
    this.#past = new KeptPast(rooms.store.results);
    this.directory = new MonitorDirectory(rooms);
    this.rows = new KnownMonitors(rooms.monitors);
    rooms.store.onChange((change) => {
      if (change === "states") this.#turn += 1;
      // Who owns a monitor, what a location is called, who is notified: lists show more than what agents are given.
      // A replica of the version before says `assignments` alone.
      if (change === "objects" || change === "assignments") this.#forgetMonitors();
    });
  }

  now(): Promise<Picture> {
    this.looks += 1;
    this.#lookedAt = this.#rooms.clock.monotonic();
    const last = this.#last;
    const age = last === null ? Infinity : this.#since(last.at);
    if (last === null || age >= limits.pictureShownFor) return this.#next();
    if (age >= limits.pictureFreshFor && last.picture.detail === "whole") this.#isDue = true;
    return this.#turned(last);
  }

  /**
   * Takes the next picture, if one was shown that is not fresh any more. It is for when that look was answered: to read it
   * before would let the look wait for what only the next one shows. That of a large service is renewed between looks.
   */
  renew(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    // A fault of the store is said to whoever waits for a picture; this one was taken before it.
    this.#taken().catch(() => {});
  }

  /** Does what a look would wait for: takes the first picture, reads the past, and renews both. Null if nothing is due. */
  async prepare(): Promise<Picture | null> {
    const { monitors, clock } = this.#rooms;
    const isLookedAt = this.#since(this.#lookedAt) < limits.pictureRenewedFor;
    const isTime = this.#last === null || isLookedAt;
    const at = clock.wall();
    const isPastDue = this.#past.isDue(at, limits.pastReadAhead);
    if (!isTime && !isPastDue) return null;
    if (await this.rows.isLarge()) {
      await this.directory.now();
      // Nothing is taken before someone has looked, nor after a change before they look again.
      return isLookedAt && this.#last !== null ? (await this.#taken()).picture : null;
    }
    if ((await monitors.count()) === 0) return null;
    if (isPastDue && this.#last !== null && this.#rooms.store.serversAway === 0) {
      const rows = await this.rows.now();
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
    if (shown !== null) return this.#withDetail(shown);
    this.#forgetMonitors();
    const made = found(await this.now());
    return made === null ? null : this.#withDetail(made);
  }

  /** The same monitors with all that a person sees of them, whatever picture they are from; without those that are gone. */
  async detailed(
    { detail }: Picture,
    monitors: readonly PicturedMonitor[],
  ): Promise<readonly PicturedMonitor[]> {
    if (detail === "whole") return monitors;
    if (this.#past.size > limits.preparedMonitorsMax)
      this.#past = new KeptPast(this.#rooms.store.results);
    const ids = monitors.map(({ id }) => monitorId(id));
    // Locations are not counted for it, nor all incidents listed: the picture has done both.
    const at = this.#rooms.clock.wall();
    const rows = await this.#rooms.monitors.among(ids);
    const where = [...new Set(rows.flatMap(({ locations }) => locations))];
    const places = await this.#rooms.locations.among(where);
    const seen = await this.#seen({ at, rows, places, incidents: incidentsIn(monitors) });
    const byId = new Map(seen.map((one) => [one.id, one]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async #withDetail({ picture, monitor }: PictureOfMonitor): Promise<PictureOfMonitor | null> {
    const [whole] = await this.detailed(picture, [monitor]);
    return whole === undefined ? null : { picture, monitor: whole };
  }

  /** A monitor was made, changed or deleted, or something that is shown with it. */
  #forgetMonitors(): void {
    this.rows.outdate();
    this.directory.outdate();
    this.outdate();
  }

  /** A person has changed something, and is to see it at once. */
  outdate(): void {
    this.#last = null;
    this.#taking = null;
    this.#turning = null;
    this.openIncidents.outdate();
  }

  #since(instant: Nanos): number {
    return nanosToMillis(nanos(this.#rooms.clock.monotonic() - instant));
  }

  /** One that was begun long ago, while the database stood still, is too old when it comes. */
  async #next(): Promise<Picture> {
    const taken = await this.#taken();
    const isCurrent = this.#since(taken.at) < limits.pictureShownFor;
    return this.#turned(isCurrent ? taken : await this.#taken());
  }

  /** With the verdicts that came since it was begun. Whoever comes meanwhile, and before the next verdict, shares it. */
  async #turned(taken: TakenPicture): Promise<Picture> {
    const turn = this.#turn;
    if (taken.turn === turn) return taken.picture;
    const shared = this.#turning;
    if (shared?.turn === turn) return (await shared.taken).picture;
    if (shared !== null && taken.picture.detail === "brief") {
      // One reading of a large service at a time: whoever comes meanwhile shares the one after it.
      await shared.taken.catch(() => {});
      return this.#turned(this.#last ?? taken);
    }
    const turning = { turn, taken: this.#readTurned(taken, turn) };
    this.#turning = turning;
    try {
      return (await turning.taken).picture;
    } finally {
      if (this.#turning === turning) this.#turning = null;
    }
  }

  async #readTurned(taken: TakenPicture, turn: number): Promise<TakenPicture> {
    const isBrief = taken.picture.detail === "brief";
    const at = isBrief ? this.#rooms.clock.monotonic() : taken.at;
    const picture = isBrief
      ? await briefPicture(this.#rooms, this.directory)
      : await turnedPicture(this.#rooms, this.rows, taken.picture);
    const turned = { picture, at, turn };
    if (this.#last === taken) this.#last = turned;
    return turned;
  }

  #taken(): Promise<TakenPicture> {
    return (this.#taking ??= this.#begin());
  }

  /** One that was begun before a change is for those alone who waited for it. */
  #begin(): Promise<TakenPicture> {
    const at = this.#rooms.clock.monotonic();
    const turn = this.#turn;
    const taking = this.#take()
      .then((picture) => {
        const taken = { picture, at, turn };
        if (this.#taking === taking) this.#last = taken;
        return taken;
      })
      .finally(() => {
        if (this.#taking === taking) this.#taking = null;
      });
    return taking;
  }

  async #take(): Promise<Picture> {
    if (await this.rows.isLarge()) return briefPicture(this.#rooms, this.directory);
    const at = this.#rooms.clock.wall();
    const [rows, places, incidents, planned] = await Promise.all([
      this.rows.now(),
      this.#rooms.locations.list(serviceLimits.serviceLocationsMax, 0),
      openIncidents(this.#rooms.store),
      plannedNow(this.#rooms.store, at),
    ]);
    const [locations, monitors] = await Promise.all([
      withSilenceIncidents(this.#rooms.store, places.map(picturedLocation)),
      this.#seen({ at, rows, places, incidents }),
    ]);
    const labels = labelsOf(rows);
    return { at, detail: "whole", texts: null, planned, labels, locations, monitors };
  }

  /** Some monitors with all that is seen of them. */
  async #seen({ at, rows, places, incidents }: ReadFacts): Promise<readonly PicturedMonitor[]> {
    const { store, judging } = this.#rooms;
    const ids = rows.map(({ id }) => id);
    const [judged, past, unheard] = await Promise.all([
      judging.judged(rows),
      this.#pastAt(ids, at),
      unheardAmong(store, rows),
    ]);
    const placeOf = new Map(places.map((one) => [one.id, one]));
    const facts = { ...past, places: placeOf, incidents, unheard };
    const reasons = await reasonsOf(store, judged, incidents, at);
    return judged.map((one) => monitorPicture(one, facts, reasons.get(one.row.id) ?? null, at));
  }

  /** Days are read of all database servers at once: while one is away they stay as they were. */
  async #pastAt(ids: readonly MonitorId[], at: EpochMillis): ReturnType<KeptPast["daysAt"]> {
    if (this.#rooms.store.serversAway > 0) return this.#past.lastRead(ids);
    try {
      return await this.#past.daysAt(ids, at);
    } catch (error) {
      if (error instanceof StoreFault && error.code === "store_part_away")
        return this.#past.lastRead(ids);
      throw error;
    }
  }
}
