import * as storeLimits from "#limits/store-limits";

interface Series {
  readonly monitor: number;
  readonly location: number;
}

/** Spans whose details do not fit in one row. Each is tried again once the number of its unpacked details has changed, and not in each round. */
export class OversizedSpans {
  /** How many unpacked details each had. */
  readonly #unpacked = new Map<string, number>();

  has(series: Series, span: number, unpacked: number): boolean {
    return this.#unpacked.get(nameOf(series, span)) === unpacked;
  }

  add(series: Series, span: number, unpacked: number): void {
    if (this.#unpacked.size >= storeLimits.oversizedSpansKnownMax) this.#unpacked.clear();
    this.#unpacked.set(nameOf(series, span), unpacked);
  }
}

const nameOf = ({ monitor, location }: Series, span: number): string =>
  `${monitor} ${location} ${span}`;
