import type { InstrumentName } from "#metrics/instruments";
import type { EpochMillis } from "#units";

export type Attributes = Readonly<Record<string, string | number>>;

/** One line of figures: an instrument with one set of attributes. */
export interface Series {
  readonly instrument: InstrumentName;
  readonly attributes: Attributes;
  /** From when on it counts. */
  readonly startedAt: EpochMillis;
  /** The figure; of a histogram, the sum of what it was given. */
  value: number;
  /** Of a histogram: how many fell into each bucket, the last one above every bound; else null. */
  readonly counts: number[] | null;
}

/** How many values a histogram's buckets hold. */
export function countOf({ counts }: { readonly counts: Iterable<number> | null }): number {
  let sum = 0;
  for (const count of counts ?? []) sum += count;
  return sum;
}
