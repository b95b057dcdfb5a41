import { readVarints, writeVarints } from "#service/store/varint";
import { type Millis, millis } from "#base/units";

/*
 * How many latencies lie in each of 85 ranges, the next 1.15 times as wide as the one before, up to two minutes. Two of
 * them add up to one. Kept as pairs of (ranges left out, count).
 *
 * Behind the last one stand further ranges that count the same again. A replica of an older version leaves them out, so what
 * it wrote has a quantile within 7.5 % of the true one.
 * - Range 0 is all up to 1 ms. 24 ranges have those of them whose part of a millisecond is known, each 1.15 times as narrow
 *   as the one before: a target in one's own network answers in 0.4 ms.
 * - Each range from the first one on has four quarters. By these a quantile is within 1.8 % of the true one.
 * - So have the ranges of parts of a millisecond, and further ones down to the microsecond, which is the finest that is kept.
 */
const ratio = 1.15;
const last = 84;
const fineRanges = 24;
const firstFine = last + 1;
const quarters = 4;
const firstQuarter = firstFine + fineRanges;
const firstFineQuarter = firstQuarter + last * quarters;
const fineQuarters = 200;
const allRanges = firstFineQuarter + fineQuarters;

export const noLatencies: Uint8Array = new Uint8Array();

/** The range of a latency: range 0 is up to 1 ms, the last has everything above. */
export function rangeOf(latency: Millis): number {
  if (latency <= 1) return 0;
  return Math.min(last, Math.ceil(Math.log(latency) / Math.log(ratio) - 1e-9));
}

/** The range of a part of a millisecond, the shortest in the last one; null of whole ones, which most agents' plain calls have. */
function fineRangeOf(latency: Millis): number | null {
  if (latency > 1 || Number.isInteger(latency)) return null;
  const range = Math.floor(-Math.log(latency) / Math.log(ratio) + 1e-9);
  return firstFine + Math.min(fineRanges - 1, range);
}

/** The quarter of a latency in its range; null of a whole one in range 0, of which no part is known. */
function quarterOf(latency: Millis): number | null {
  const range = rangeOf(latency);
  if (range === 0) return fineQuarterOf(latency);
  const end = range * quarters;
  const quarter = Math.ceil((quarters * Math.log(latency)) / Math.log(ratio) - 1e-9);
  return firstQuarter + Math.max(end - quarters, Math.min(end - 1, quarter - 1));
}

function fineQuarterOf(latency: Millis): number | null {
  if (Number.isInteger(latency)) return null;
  const quarter = Math.floor((-quarters * Math.log(latency)) / Math.log(ratio) + 1e-9);
  return firstFineQuarter + Math.min(fineQuarters - 1, quarter);
}

/** A histogram with further latencies in it. Most have few of the ranges: only those are looked at. */
export function addLatencies(histogram: Uint8Array, latencies: readonly Millis[]): Uint8Array {
  if (latencies.length === 0) return histogram;
  const added = latencies
    .flatMap((latency) => [rangeOf(latency), fineRangeOf(latency), quarterOf(latency)])
    .filter((range) => range !== null)
    .toSorted((a, b) => a - b);
  return withRanges(histogram, added);
}

/** The same pairs with one more in each of these ranges, the lowest first. Ranges of a newer version stay. */
function withRanges(histogram: Uint8Array, added: readonly number[]): Uint8Array {
  const kept = readVarints(histogram);
  const pairs: number[] = [];
  let next = 0;
  let at = 0;
  const put = (range: number, count: number): void => {
    pairs.push(range - next, count);
    next = range + 1;
  };
  const addedIn = (range: number): number => {
    const from = at;
    while (added[at] === range) at += 1;
    return at - from;
  };
  const putBefore = (end: number): void => {
    for (let one = added[at]; one !== undefined && one < end; one = added[at])
      put(one, addedIn(one));
  };
  let range = 0;
  for (let index = 0; index + 1 < kept.length; index += 2) {
    range += kept[index] ?? 0;
    putBefore(range);
    put(range, (kept[index + 1] ?? 0) + addedIn(range));
    range += 1;
  }
  putBefore(Infinity);
  return writeVarints(pairs);
}

export function mergeHistograms(histograms: readonly Uint8Array[]): Uint8Array {
  const sum = new HistogramSum();
  for (const histogram of histograms) sum.add(histogram);
  return histogramOf(sum.counts);
}

/** The sum of many histograms: a month of a thousand monitors has thirty thousand, so nothing is made for each. */
export class HistogramSum {
  readonly counts: Uint32Array = new Uint32Array(allRanges);

  /**
   * One that lies between two places of some bytes. Those of a report are ten million: nearly all numbers are one or two of
   * them, which are read where they lie.
   */
  add(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    const { counts } = this;
    let range = 0;
    for (let at = from; at < to;) {
      let skipped = bytes[at] ?? 0;
      at += 1;
      if (skipped >= 0x80) {
        const next = at < to ? (bytes[at] ?? 0) : 0x80;
        at += 1;
        if (next < 0x80) skipped += (next - 1) * 0x80;
        else [skipped, at] = longNumber(bytes, at - 2, to);
      }
      let count = at < to ? (bytes[at] ?? 0) : 0;
      at += 1;
      if (count >= 0x80) {
        const next = at < to ? (bytes[at] ?? 0) : 0x80;
        at += 1;
        if (next < 0x80) count += (next - 1) * 0x80;
        else [count, at] = longNumber(bytes, at - 2, to);
      }
      range += skipped;
      if (range < counts.length) counts[range] = (counts[range] ?? 0) + count;
      range += 1;
    }
  }

  quantile(share: number): Millis | null {
    return quantileOf(this.counts, share);
  }
}

/** One of any length, as `readVarints` reads it, and where the next one begins. What is cut off is 0. */
function longNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
): readonly [value: number, next: number] {
  let value = 0;
  let factor = 1;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte % 0x80) * factor;
    if (byte < 0x80) return [value, at + 1];
    factor *= 0x80;
  }
  return [0, to];
}

/** The latency that a share of all (0.95: p95) does not exceed; null of none. */
export const quantile = (histogram: Uint8Array, share: number): Millis | null =>
  quantileOf(countsOf(histogram), share);

function quantileOf(counts: Uint32Array, share: number): Millis | null {
  const whole = counts.subarray(0, firstFine);
  const total = sumOf(whole);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  const [upToOne = 0] = whole;
  if (rank <= upToOne) return partOfMilli(counts, rank / upToOne);
  const range = rangeAt(whole, rank);
  const inRange = rank - sumOf(whole.subarray(0, range));
  return inQuarters(counts, range, inRange / (whole[range] ?? 1));
}

/** What a share of those of a range does not exceed, by those of them whose quarter is known. */
function inQuarters(counts: Uint32Array, range: number, share: number): Millis {
  const first = (range - 1) * quarters;
  const known = counts.subarray(firstQuarter + first, firstQuarter + first + quarters);
  const total = sumOf(known);
  // In the middle by ratio, so that the error is the same in both directions.
  if (total === 0) return millis(ratio ** (range - 0.5));
  const quarter = rangeAt(known, Math.max(1, Math.ceil(total * share - 1e-9)));
  return millis(ratio ** ((first + quarter + 0.5) / quarters));
}

/** What a share of those up to 1 ms does not exceed, by those of them whose part of a millisecond is known. */
function partOfMilli(counts: Uint32Array, share: number): Millis {
  const fine = counts.subarray(firstFine, firstQuarter);
  const known = sumOf(fine);
  if (known === 0) return millis(1);
  // The shortest are the last: as many as are not longer are counted from there.
  const rank = known - Math.max(1, Math.ceil(known * share)) + 1;
  const range = rangeAt(fine, rank);
  const inRange = rank - sumOf(fine.subarray(0, range));
  return inFineQuarters(counts, range, inRange / (fine[range] ?? 1));
}

/** Of those of a fine range, the longest first, by those of them whose quarter is known; the last range has all shorter ones. */
function inFineQuarters(counts: Uint32Array, range: number, share: number): Millis {
  const first = range * quarters;
  const end = range === fineRanges - 1 ? fineQuarters : first + quarters;
  const known = counts.subarray(firstFineQuarter + first, firstFineQuarter + end);
  const total = sumOf(known);
  if (total === 0) return millis(ratio ** -(range + 0.5));
  const quarter = rangeAt(known, Math.max(1, Math.ceil(total * share - 1e-9)));
  return millis(ratio ** -((first + quarter + 0.5) / quarters));
}

/** A loop takes a fifth of what `reduce` does: of each monitor of a report there are some. */
function sumOf(counts: Uint32Array): number {
  let sum = 0;
  for (let range = 0; range < counts.length; range += 1) sum += counts[range] ?? 0;
  return sum;
}

/** The range that has the latency of this rank, counted from the first range. */
function rangeAt(counts: Uint32Array, rank: number): number {
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
}

function countsOf(histogram: Uint8Array): Uint32Array {
  const sum = new HistogramSum();
  sum.add(histogram);
  return sum.counts;
}

function histogramOf(counts: Uint32Array): Uint8Array {
  const pairs: number[] = [];
  let next = 0;
  counts.forEach((count, range) => {
    if (count === 0) return;
    pairs.push(range - next, count);
    next = range + 1;
  });
  return writeVarints(pairs);
}
