import type { Clock } from "#clock";
import * as limits from "#limits/metrics-limits";
import { instruments, type InstrumentName } from "#metrics/instruments";
import type { Attributes, Series } from "#metrics/series";

/**
 * Series in memory, in scopes that are forgotten whole: those of a monitor go when it goes. OpenTelemetry's own SDK
 * keeps every set of attributes that it has ever seen; an agent that runs for months would send dead monitors forever.
 */
export class MetricStore {
  readonly #clock: Clock;
  readonly #seriesMax: number;
  readonly #scopes = new Map<string, Scope>();
  #size = 0;
  #refused = 0;

  constructor(clock: Clock, seriesMax: number = limits.metricSeriesMax) {
    this.#clock = clock;
    this.#seriesMax = seriesMax;
  }

  /** How many series there are. */
  get size(): number {
    return this.#size;
  }

  /** New series for which there was no room. */
  get refused(): number {
    return this.#refused;
  }

  get scopeKeys(): readonly string[] {
    return [...this.#scopes.keys()];
  }

  /** The scope of a key; one whose attributes have changed begins anew. */
  scope(key: string, attributes: Attributes): Scope {
    const known = this.#scopes.get(key);
    if (known !== undefined && isSame(known.attributes, attributes)) return known;
    this.forget(key);
    const scope = new Scope(attributes, this.#clock, {
      take: () => this.#take(),
      release: (count) => void (this.#size -= count),
    });
    this.#scopes.set(key, scope);
    return scope;
  }

  forget(key: string): void {
    this.#scopes.get(key)?.clear();
    this.#scopes.delete(key);
  }

  /** The series by their instrument: those of the scopes of these keys, or every one. */
  byInstrument(
    keys: Iterable<string> = this.#scopes.keys(),
  ): ReadonlyMap<InstrumentName, readonly Series[]> {
    const found = new Map<InstrumentName, Series[]>();
    for (const key of keys)
      for (const series of this.#scopes.get(key)?.series() ?? [])
        found.getOrInsertComputed(series.instrument, () => []).push(series);
    return found;
  }

  #take(): boolean {
    if (this.#size >= this.#seriesMax) {
      this.#refused += 1;
      return false;
    }
    this.#size += 1;
    return true;
  }
}

interface Room {
  readonly take: () => boolean;
  readonly release: (count: number) => void;
}

/** The series of one monitor, or of the agent itself; all have the scope's attributes. */
export class Scope {
  readonly attributes: Attributes;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #series = new Map<string, Series>();
  readonly #brief: Attributes;

  constructor(attributes: Attributes, clock: Clock, room: Room) {
    this.attributes = attributes;
    const { "picket.monitor.id": id } = attributes;
    this.#brief = id === undefined ? attributes : { "picket.monitor.id": id };
    this.#clock = clock;
    this.#room = room;
  }

  /** Adds to a counter. */
  add(name: InstrumentName, by: number, more: Attributes = none): void {
    const series = this.#of(name, more);
    if (series !== null) series.value += by;
  }

  /** Sets a gauge, or a sum that is kept elsewhere. */
  set(name: InstrumentName, value: number, more: Attributes = none): void {
    const series = this.#of(name, more);
    if (series !== null) series.value = value;
  }

  /** Gives a histogram one more value. */
  record(name: InstrumentName, value: number, more: Attributes = none): void {
    const series = this.#of(name, more);
    if (series === null || series.counts === null) return;
    series.value += value;
    const at = bucketOf(value, instruments[name].bounds ?? []);
    series.counts[at] = (series.counts[at] ?? 0) + 1;
  }

  /** Forgets what an instrument said: it is no longer so, and nothing has taken its place. */
  drop(name: InstrumentName): void {
    for (const [key, { instrument }] of this.#series)
      if (instrument === name) {
        this.#series.delete(key);
        this.#room.release(1);
      }
  }

  clear(): void {
    this.#room.release(this.#series.size);
    this.#series.clear();
  }

  series(): Iterable<Series> {
    return this.#series.values();
  }

  /** The series of an instrument and its attributes, made at its first use; null when there is no room for it. */
  #of(name: InstrumentName, more: Attributes): Series | null {
    const key = keyOf(name, more);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (!this.#room.take()) return null;
    const { kind, brief, bounds = [] } = instruments[name];
    const shared = brief === true ? this.#brief : this.attributes;
    const series: Series = {
      instrument: name,
      attributes: more === none ? shared : { ...shared, ...more },
      startedAt: this.#clock.wall(),
      value: 0,
      counts: kind === "histogram" ? Array<number>(bounds.length + 1).fill(0) : null,
    };
    this.#series.set(key, series);
    return series;
  }
}

const none: Attributes = {};

/** Callers name the attributes of an instrument always in the same order. Called a dozen times a check. */
function keyOf(name: string, more: Attributes): string {
  let key = name;
  for (const attribute of Object.keys(more)) key += `\0${attribute}\0${more[attribute]}`;
  return key;
}

const isSame = (one: Attributes, other: Attributes): boolean =>
  one === other || keyOf("", one) === keyOf("", other);

/** Bounds are inclusive above, as OpenTelemetry and Prometheus have them. */
function bucketOf(value: number, bounds: readonly number[]): number {
  const at = bounds.findIndex((bound) => value <= bound);
  return at === -1 ? bounds.length : at;
}
