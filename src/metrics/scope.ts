import type { Clock } from "#base/clock";
import { type InstrumentName, instruments } from "#metrics/instruments";
import { type Attributes, isSame, type Series, type SeriesKind } from "#metrics/series";
import { epochMillis } from "#base/units";

/** What all scopes of a store share. */
export interface SeriesRoom {
  readonly clock: Clock;
  /** The kind of a new series; null when there is no room for one. */
  take(instrument: InstrumentName, more: Attributes): SeriesKind | null;
  release(kind: SeriesKind): void;
}

/**
 * The series of one monitor, or of the agent itself; all have the scope's attributes. An agent keeps a dozen series for
 * each of thousands of monitors, so they are no objects here: all figures lie in one array of plain numbers.
 */
export class Scope {
  readonly attributes: Attributes;
  readonly #room: SeriesRoom;
  #kinds: readonly SeriesKind[] = [];
  /** Of each kind in turn: since when it counts, its value, and how many fell into each bucket. */
  #figures: number[] = [];

  constructor(attributes: Attributes, room: SeriesRoom) {
    this.attributes = attributes;
    this.#room = room;
  }

  /** Adds to a counter. */
  add(name: InstrumentName, by: number, more: Attributes = none): void {
    const at = this.#placeOf(name, more);
    if (at !== null) this.#add(at + valueCell, by);
  }

  /** Sets a gauge, or a sum that is kept elsewhere. */
  set(name: InstrumentName, value: number, more: Attributes = none): void {
    const at = this.#placeOf(name, more);
    if (at !== null) this.#figures[at + valueCell] = value;
  }

  /** Gives a histogram one more value. */
  record(name: InstrumentName, value: number, more: Attributes = none): void {
    const { kind, bounds = [] } = instruments[name];
    const at = kind === "histogram" ? this.#placeOf(name, more) : null;
    if (at === null) return;
    this.#add(at + valueCell, value);
    this.#add(at + bucketsCell + bucketOf(value, bounds), 1);
  }

  /**
   * Forgets what a gauge or an up-down counter said: it is no longer so, and nothing has taken its place. What only grows
   * is never dropped, as a delta of it counts on.
   */
  drop(name: InstrumentName): void {
    this.#keep((kind) => kind.instrument !== name);
  }

  clear(): void {
    this.#keep(() => false);
  }

  /** The kinds of its series. */
  get kinds(): readonly SeriesKind[] {
    return this.#kinds;
  }

  /** Its series of an instrument. */
  series(name: InstrumentName): readonly Series[] {
    let found: Series[] | null = null;
    let at = 0;
    for (const kind of this.#kinds) {
      if (kind.instrument === name) {
        found ??= [];
        found.push(this.#seriesAt(at, kind, found[0]?.shared ?? this.#sharedWith(name)));
      }
      at += widthOf(kind);
    }
    return found ?? noSeries;
  }

  #seriesAt(at: number, kind: SeriesKind, shared: Attributes): Series {
    const { instrument, more, buckets } = kind;
    const figures = this.#figures;
    return {
      instrument,
      shared,
      more,
      startedAt: epochMillis(figures[at] ?? 0),
      value: figures[at + valueCell] ?? 0,
      counts: buckets === 0 ? null : figures.slice(at + bucketsCell, at + widthOf(kind)),
      scope: this,
      kind,
    };
  }

  #sharedWith(name: InstrumentName): Attributes {
    const { "picket.monitor.id": id } = this.attributes;
    const isBrief = instruments[name].brief === true && id !== undefined;
    return isBrief ? { "picket.monitor.id": id } : this.attributes;
  }

  /** Where the figures of a series begin, which is made at its first use; null when there is no room for it. */
  #placeOf(name: InstrumentName, more: Attributes): number | null {
    let at = 0;
    for (const kind of this.#kinds) {
      if (kind.instrument === name && isSame(kind.more, more)) return at;
      at += widthOf(kind);
    }
    const kind = this.#room.take(name, more);
    if (kind === null) return null;
    // An array that is pushed to has room for more: these are as long as they need to be.
    this.#kinds = this.#kinds.concat(kind);
    const buckets = Array<number>(kind.buckets).fill(0);
    this.#figures = this.#figures.concat(this.#room.clock.wall(), 0, buckets);
    return at;
  }

  #add(cell: number, by: number): void {
    this.#figures[cell] = (this.#figures[cell] ?? 0) + by;
  }

  #keep(isKept: (kind: SeriesKind) => boolean): void {
    if (this.#kinds.every(isKept)) return;
    const figures: number[] = [];
    let at = 0;
    for (const kind of this.#kinds) {
      const next = at + widthOf(kind);
      if (isKept(kind)) figures.push(...this.#figures.slice(at, next));
      else this.#room.release(kind);
      at = next;
    }
    this.#kinds = this.#kinds.filter(isKept);
    this.#figures = figures;
  }
}

const none: Attributes = {};
const noSeries: readonly Series[] = [];

/* The figures of one series: | since when | value | a count for each bucket of a histogram | */
const valueCell = 1;
const bucketsCell = 2;
const widthOf = ({ buckets }: SeriesKind): number => bucketsCell + buckets;

/** Bounds are inclusive above, as OpenTelemetry and Prometheus have them. */
function bucketOf(value: number, bounds: readonly number[]): number {
  const at = bounds.findIndex((bound) => value <= bound);
  return at === -1 ? bounds.length : at;
}
