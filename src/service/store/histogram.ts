import { readVarints, writeVarints } from "#service/store/varint";
import { type Millis, millis } from "#base/units";

/*
 * How many latencies lie in each of 85 ranges, the next 1.15 times as wide as the one before, up to two minutes. Two of
 * them add up to one, and a quantile is within 7.5 % of the true one. Kept as pairs of (ranges left out, count).
 */
const ratio = 1.15;
const last = 84;

export const noLatencies: Uint8Array = new Uint8Array();

/** The range of a latency: range 0 is up to 1 ms, the last has everything above. */
export function rangeOf(latency: Millis): number {
  if (latency <= 1) return 0;
  return Math.min(last, Math.ceil(Math.log(latency) / Math.log(ratio) - 1e-9));
}

/** A histogram with further latencies in it. */
export function addLatencies(histogram: Uint8Array, latencies: readonly Millis[]): Uint8Array {
  if (latencies.length === 0) return histogram;
  const counts = countsOf(histogram);
  for (const latency of latencies) {
    const range = rangeOf(latency);
    counts[range] = (counts[range] ?? 0) + 1;
  }
  return histogramOf(counts);
}

export function mergeHistograms(histograms: readonly Uint8Array[]): Uint8Array {
  const counts = countsOf(noLatencies);
  for (const histogram of histograms)
    countsOf(histogram).forEach((count, range) => (counts[range] = (counts[range] ?? 0) + count));
  return histogramOf(counts);
}

/** The latency that a share of all (0.95: p95) does not exceed; null of none. */
export function quantile(histogram: Uint8Array, share: number): Millis | null {
  const counts = countsOf(histogram);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [range, count] of counts.entries()) {
    seen += count;
    if (seen >= rank) return millis(middleOf(range));
  }
  return millis(middleOf(last));
}

/** In the middle by ratio, so that the error is the same in both directions. */
const middleOf = (range: number): number => (range === 0 ? 1 : ratio ** (range - 0.5));

function countsOf(histogram: Uint8Array): Uint32Array {
  const counts = new Uint32Array(last + 1);
  const numbers = readVarints(histogram);
  let range = 0;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    range += numbers[index] ?? 0;
    if (range <= last) counts[range] = numbers[index + 1] ?? 0;
    range += 1;
  }
  return counts;
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
