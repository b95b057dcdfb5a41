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
    this.#add(this.#bucketAt(at, bucketOf(value, bounds)), 1);
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
      at += this.#widthAt(at, kind);
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
      counts: buckets === 0 ? null : this.#countsAt(at, buckets),
      scope: this,
      kind,
    };
  }

  /** A count for each bucket, used or not. */
  #countsAt(at: number, buckets: number): readonly number[] {
    const { first, used } = this.#usedAt(at);
    const counts = Array<number>(buckets).fill(0);
    for (let bucket = 0; bucket < used; bucket += 1)
      counts[first + bucket] = this.#figures[at + bucketsCell + bucket] ?? 0;
    return counts;
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
      at += this.#widthAt(at, kind);
    }
    const kind = this.#room.take(name, more);
    if (kind === null) return null;
    // An array that is pushed to has room for more: these are as long as they need to be.
    this.#kinds = this.#kinds.concat(kind);
    const noBuckets = kind.buckets === 0 ? [] : [0];
    this.#figures = this.#figures.concat(this.#room.clock.wall(), 0, noBuckets);
    return at;
  }

  /** The cell of a bucket of the histogram at `at`, which is made at its first use, with those up to the used ones. */
  #bucketAt(at: number, bucket: number): number {
    const { first, used } = this.#usedAt(at);
    const from = at + bucketsCell;
    if (used === 0) this.#use(at, { first: bucket, used: 1 }, { at: from, more: 1 });
    else if (bucket < first)
      this.#use(
        at,
        { first: bucket, used: used + first - bucket },
        { at: from, more: first - bucket },
      );
    else if (bucket >= first + used) {
      const more = bucket - first - used + 1;
      this.#use(at, { first, used: used + more }, { at: from + used, more });
    }
    return from + bucket - this.#usedAt(at).first;
  }

  #use(
    at: number,
    { first, used }: UsedBuckets,
    cells: { readonly at: number; readonly more: number },
  ): void {
    const fresh = Array<number>(cells.more).fill(0);
    const figures = this.#figures;
    this.#figures = figures.slice(0, cells.at).concat(fresh, figures.slice(cells.at));
    this.#figures[at + usedCell] = first * bucketsMax + used;
  }

  #usedAt(at: number): UsedBuckets {
    const packed = this.#figures[at + usedCell] ?? 0;
    return { first: Math.floor(packed / bucketsMax), used: packed % bucketsMax };
  }

  #widthAt(at: number, { buckets }: SeriesKind): number {
    return buckets === 0
      ? usedCell
      : bucketsCell + ((this.#figures[at + usedCell] ?? 0) % bucketsMax);
  }

  #add(cell: number, by: number): void {
    this.#figures[cell] = (this.#figures[cell] ?? 0) + by;
  }

  #keep(isKept: (kind: SeriesKind) => boolean): void {
    if (this.#kinds.every(isKept)) return;
    const figures: number[] = [];
    let at = 0;
    for (const kind of this.#kinds) {
      const next = at + this.#widthAt(at, kind);
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

/*
 * The figures of one series; those behind its value are of a histogram. A target answers in much the same time at each
 * check, so of some fifteen buckets two or three are used: only they are kept, with those between them.
 *
 *     | since when | value | the first used bucket, and how many | a count for each of these |
 */
const valueCell = 1;
const usedCell = 2;
const bucketsCell = 3;
/** More than any histogram has. */
const bucketsMax = 1_024;

interface UsedBuckets {
  readonly first: number;
  readonly used: number;
}

/** Bounds are inclusive above, as OpenTelemetry and Prometheus have them. */
function bucketOf(value: number, bounds: readonly number[]): number {
  const at = bounds.findIndex((bound) => value <= bound);
  return at === -1 ? bounds.length : at;
}
