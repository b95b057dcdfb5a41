import type { Clock } from "#base/clock";
import { blackboxInstruments } from "#metrics/blackbox-instruments";
import { instruments } from "#metrics/instruments";
import { countOf, type Series, type SeriesKind } from "#metrics/series";
import type { MetricStore } from "#metrics/metric-store";
import type { EpochMillis } from "#base/units";

/**
 * What sums and histograms are exported as: all since their start, or what came since the last export that arrived.
 * `lowmemory` exports what is counted here as delta, and what others count as cumulative.
 */
export const temporalities = ["cumulative", "delta", "lowmemory"] as const;
export type Temporality = (typeof temporalities)[number];

/** One data point as it is sent. */
export interface Point {
  readonly series: Series;
  readonly delta: boolean;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly value: number;
  readonly counts: readonly number[] | null;
}

interface LastExport {
  readonly at: EpochMillis;
  readonly value: number;
  readonly counts: readonly number[] | null;
}

/** Makes the data points of one collector. The start of the next delta moves only when an export has arrived, so that no delta is lost. */
export class OtlpPoints {
  readonly #store: MetricStore;
  readonly #temporality: Temporality;
  readonly #clock: Clock;
  /** By the scope of the series, with which it is forgotten. */
  readonly #exported = new WeakMap<object, Map<SeriesKind, LastExport>>();

  constructor(store: MetricStore, temporality: Temporality, clock: Clock) {
    this.#store = store;
    this.#temporality = temporality;
    this.#clock = clock;
  }

  /**
   * Points of all series in pieces of at most `max`, each made when it is asked for: between two of them the thread is
   * free. Those of one instrument are next to each other; blackbox_exporter's names are for scraping alone.
   */
  *pieces(max: number): Generator<readonly Point[]> {
    let piece: Point[] = [];
    for (const [name, all] of this.#store.byInstrument()) {
      if (name in blackboxInstruments) continue;
      for (const series of all) {
        const point = this.#pointOf(series, this.#clock.wall());
        if (point === null) continue;
        piece.push(point);
        if (piece.length < max) continue;
        yield piece;
        piece = [];
      }
    }
    if (piece.length > 0) yield piece;
  }

  /** The collector has these. */
  arrived(points: readonly Point[]): void {
    for (const { series, delta, to, value, counts } of points) {
      if (!delta) continue;
      const { scope, kind } = series;
      const exported = this.#exported.getOrInsertComputed(scope, () => new Map());
      const before = exported.get(kind);
      exported.set(kind, {
        at: to,
        value: value + (before?.value ?? 0),
        counts: counts?.map((count, index) => count + (before?.counts?.[index] ?? 0)) ?? null,
      });
    }
  }

  /** Null when nothing came since: a delta of nothing says nothing. */
  #pointOf(series: Series, to: EpochMillis): Point | null {
    const delta = this.#isDelta(series);
    const before = delta ? this.#exported.get(series.scope)?.get(series.kind) : undefined;
    const { counts } = series;
    if (before === undefined)
      return { series, delta, from: series.startedAt, to, value: series.value, counts };
    const since = counts?.map((count, index) => count - (before.counts?.[index] ?? 0)) ?? null;
    const value = series.value - before.value;
    const silent = since === null ? value === 0 : countOf({ counts: since }) === 0;
    return silent ? null : { series, delta, from: before.at, to, value, counts: since };
  }

  #isDelta({ instrument }: Series): boolean {
    const { kind, observed } = instruments[instrument];
    if (kind !== "counter" && kind !== "histogram") return false;
    return (
      this.#temporality === "delta" || (this.#temporality === "lowmemory" && observed !== true)
    );
  }
}
