import { setImmediate as nextTurn } from "node:timers/promises";
import { periodicities } from "#check/definition";
import { nameOrder } from "#base/name-order";
import * as limits from "#limits/pages-limits";
import { searchedText } from "#service/operator/pictures/monitor-search";
import { labelsOf } from "#service/operator/pictures/label-pairs";
import { targetOf } from "#service/operator/monitor-picture";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor, Sight } from "#service/operator/picture";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import { millis } from "#base/units";

/** What lists show of each monitor, whatever is seen of it. */
interface DirectoryList {
  /** In the order of their names. */
  readonly monitors: readonly PicturedMonitor[];
  /** What a search looks through, of each of them. */
  readonly texts: readonly string[];
  readonly labels: readonly string[];
}

interface Entry {
  readonly revision: number;
  readonly places: number;
  readonly monitor: PicturedMonitor;
  /** In small letters. */
  readonly text: string;
}

/**
 * The monitors of a large service. All are read once; after that a change costs three numbers a
 * monitor, and what has changed.
 */
export class MonitorDirectory {
  readonly #rooms: Pick<PageRooms, "store" | "monitors">;
  readonly #entries = new Map<number, Entry>();
  /** Monitors that run at the same locations share them. */
  readonly #sights = new Map<string, readonly Sight[]>();
  #list: DirectoryList | null = null;
  #reading: Promise<DirectoryList> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(rooms: Pick<PageRooms, "store" | "monitors">) {
    this.#rooms = rooms;
  }

  /** A person has changed a monitor, or where it runs. */
  outdate(): void {
    this.#list = null;
    this.#reading = null;
  }

  async now(): Promise<DirectoryList> {
    if (this.#list !== null) return this.#list;
    const before = this.#reading;
    if (before !== null) return before;
    // One that was begun before a change may still run: the two would write into each other.
    const reading = this.#last.then(() => this.#read());
    this.#reading = reading;
    this.#last = reading.catch(() => {});
    try {
      const list = await reading;
      if (this.#reading === reading) this.#list = list;
      return list;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  async #read(): Promise<DirectoryList> {
    const marks = await this.#rooms.store.state.monitors.marks();
    const there = new Set<number>();
    const changed: MonitorId[] = [];
    const marked = new Map<number, Pick<Entry, "revision" | "places">>();
    for (let at = 0; at < marks.length; at += 3) {
      const [id = 0, revision = 0, places = 0] = marks.subarray(at, at + 3);
      const known = this.#entries.get(id);
      there.add(id);
      if (known?.revision === revision && known.places === places) continue;
      changed.push(monitorId(id));
      marked.set(id, { revision, places });
    }
    for (const id of this.#entries.keys()) if (!there.has(id)) this.#entries.delete(id);
    for (let first = 0; first < changed.length; first += limits.directoryReadAtOnce) {
      const some = changed.slice(first, first + limits.directoryReadAtOnce);
      for (const row of await this.#rooms.monitors.among(some))
        this.#entries.set(row.id, this.#entryOf(row, marked.get(row.id)));
      await nextTurn();
    }
    const entries = [...this.#entries.values()].toSorted(byName);
    const monitors = entries.map(({ monitor }) => monitor);
    return { monitors, texts: entries.map(({ text }) => text), labels: labelsOf(monitors) };
  }

  #entryOf(row: MonitorRow, marked: Pick<Entry, "revision" | "places"> | undefined): Entry {
    const { id, definition, labels, locations, owner } = row;
    const monitor: PicturedMonitor = {
      id,
      name: definition.name,
      kind: definition.kind,
      target: targetOf(row),
      labels,
      owner,
      period: periodicities[definition.periodicity] ?? millis(0),
      status: definition.active ? "active" : "inactive",
      since: null,
      lastCheckedAt: null,
      seenBy: this.#sightsOf(locations),
      reason: null,
      incident: null,
      recovery: null,
      unread: false,
      unheard: false,
      latency: null,
      usual: null,
      medianToday: null,
      days: [],
    };
    // The row may be newer than its mark: then it is read once more, with the next change.
    return {
      revision: marked?.revision ?? 0,
      places: marked?.places ?? 0,
      monitor,
      text: searchedText(monitor),
    };
  }

  #sightsOf(locations: readonly LocationId[]): readonly Sight[] {
    return this.#sights.getOrInsertComputed(locations.join(), () =>
      locations.map((location) => ({
        location,
        name: "",
        status: "unknown",
        slot: null,
        since: null,
        stale: false,
      })),
    );
  }
}

const byName = ({ monitor: a }: Entry, { monitor: b }: Entry): number =>
  nameOrder(a.name, b.name) || a.id - b.id;
