import type { Clock } from "#base/clock";
import * as limits from "#limits/metrics-limits";
import type { InstrumentName } from "#metrics/instruments";
import { Scope, type SeriesRoom } from "#metrics/scope";
import {
  type Attributes,
  isSame,
  type Series,
  type SeriesKind,
  SeriesKinds,
} from "#metrics/series";

/**
 * Series in memory, in scopes that are forgotten whole: those of a monitor go when it goes. OpenTelemetry's own SDK
 * keeps every set of attributes that it has ever seen; an agent that runs for months would send dead monitors forever.
 */
export class MetricStore {
  readonly #seriesMax: number;
  readonly #scopes = new Map<string, Scope>();
  readonly #kinds = new SeriesKinds();
  readonly #room: SeriesRoom;
  #size = 0;
  #refused = 0;

  constructor(clock: Clock, seriesMax: number = limits.metricSeriesMax) {
    this.#seriesMax = seriesMax;
    this.#room = {
      clock,
      take: (instrument, more) => (this.#hasRoom() ? this.#kinds.take(instrument, more) : null),
      release: (kind) => {
        this.#size -= 1;
        this.#kinds.release(kind);
      },
    };
  }

  /** How many series there are. */
  get size(): number {
    return this.#size;
  }

  /** New series for which there was no room. */
  get refused(): number {
    return this.#refused;
  }

  get scopeKeys(): Iterable<string> {
    return this.#scopes.keys();
  }

  /** The scope of a key; one whose attributes have changed starts again. */
  scope(key: string, attributes: Attributes): Scope {
    const known = this.#scopes.get(key);
    if (known !== undefined && isSame(known.attributes, attributes)) return known;
    this.forget(key);
    const scope = new Scope(attributes, this.#room);
    this.#scopes.set(key, scope);
    return scope;
  }

  forget(key: string): void {
    this.#scopes.get(key)?.clear();
    this.#scopes.delete(key);
  }

  /**
   * The series by their instrument: those of the scopes of these keys, or every one. Each is made when it is asked for, as
   * all of them at once would take several times what the store takes.
   */
  byInstrument(
    keys: Iterable<string> = this.#scopes.keys(),
  ): ReadonlyMap<InstrumentName, Iterable<Series>> {
    const scopes = Array.from(keys, (key) => this.#scopes.get(key) ?? []).flat();
    const kinds = new Set<SeriesKind>();
    for (const scope of scopes) for (const kind of scope.kinds) kinds.add(kind);
    const names = new Set(kinds.values().map(({ instrument }) => instrument));
    return new Map(
      names.values().map((name) => [name, { [Symbol.iterator]: () => seriesOf(name, scopes) }]),
    );
  }

  #hasRoom(): boolean {
    const hasRoom = this.#size < this.#seriesMax;
    if (hasRoom) this.#size += 1;
    else this.#refused += 1;
    return hasRoom;
  }
}

function* seriesOf(name: InstrumentName, scopes: readonly Scope[]): Generator<Series> {
  for (const scope of scopes) for (const series of scope.series(name)) yield series;
}
