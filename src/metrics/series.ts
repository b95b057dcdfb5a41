import { type InstrumentName, instruments } from "#metrics/instruments";
import type { EpochMillis } from "#base/units";

export type Attributes = Readonly<Record<string, string | number>>;

/** One line of figures as it is now: an instrument with one set of attributes. */
export interface Series {
  readonly instrument: InstrumentName;
  /** The attributes that other series of its scope have too, and those in addition. */
  readonly shared: Attributes;
  readonly more: Attributes;
  /** From when on it counts. */
  readonly startedAt: EpochMillis;
  /** The figure; of a histogram, the sum of what it was given. */
  readonly value: number;
  /** Of a histogram: how many fell into each bucket, the last one above every bound; else null. */
  readonly counts: readonly number[] | null;
  /** Which series it is: the scope that keeps it, and its kind there. */
  readonly scope: object;
  readonly kind: SeriesKind;
}

/** What the series of many scopes have in common: thousands of monitors have a few dozen kinds. */
export interface SeriesKind {
  readonly instrument: InstrumentName;
  /** The attributes in addition to those of the scope. */
  readonly more: Attributes;
  /** How many buckets a histogram has; 0 for others. */
  readonly buckets: number;
  /** How many series there are of it. */
  users: number;
}

/** The kinds of series that there are now, each once. */
export class SeriesKinds {
  readonly #all = new Map<string, SeriesKind>();

  /** The kind of one more series. */
  take(instrument: InstrumentName, more: Attributes): SeriesKind {
    const kind = this.#all.getOrInsertComputed(keyOf(instrument, more), () =>
      kindOf(instrument, more),
    );
    kind.users += 1;
    return kind;
  }

  /** A kind without a series is forgotten: what a target answers with has too many values to keep each. */
  release(kind: SeriesKind): void {
    kind.users -= 1;
    if (kind.users === 0) this.#all.delete(keyOf(kind.instrument, kind.more));
  }
}

function kindOf(instrument: InstrumentName, more: Attributes): SeriesKind {
  const { kind, bounds = [] } = instruments[instrument];
  const buckets = kind === "histogram" ? bounds.length + 1 : 0;
  return { instrument, more, buckets, users: 0 };
}

/** Callers name the attributes of an instrument always in the same order. */
function keyOf(instrument: InstrumentName, more: Attributes): string {
  let key: string = instrument;
  for (const name of Object.keys(more)) key += `\0${name}\0${more[name]}`;
  return key;
}

/** Whether two sets of attributes are the same. */
export function isSame(one: Attributes, other: Attributes): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

/** How many values a histogram's buckets hold. */
export function countOf({ counts }: { readonly counts: Iterable<number> | null }): number {
  let sum = 0;
  for (const count of counts ?? []) sum += count;
  return sum;
}
