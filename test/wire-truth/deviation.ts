import { figuresOf, type Pair, type Part, parts } from "./reported.ts";

/** |reported − captured| over the checks of one run, in microseconds. */
export interface Deviation {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export type Deviations = { readonly [P in Part]: Deviation | null };

export function deviations(pairs: readonly Pair[]): Deviations {
  const of = (part: Part): Deviation | null => {
    const found = pairs.flatMap(({ reported, wire }) => {
      const [told, was] = [reported.figures[part], figuresOf(wire, reported.leavesOursOut)[part]];
      return told === null || was === null ? [] : [Math.abs(told - was) / 1e3];
    });
    return found.length === 0 ? null : quantiles(found);
  };
  return Object.fromEntries(parts.map((part) => [part, of(part)])) as Deviations;
}

function quantiles(values: readonly number[]): Deviation {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    count: sorted.length,
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
  };
}

/** Median of what the wire took for a check, in microseconds. */
export const wireTotal = (pairs: readonly Pair[]): number =>
  quantiles(pairs.map(({ wire }) => (figuresOf(wire, false).total ?? 0) / 1e3)).median;

/** The capture stamps a packet a little after it left and a little before it is heard. */
export const captureToleranceNanos = 25_000;

/** How often the error bar held over all parts of all checks, and how wide it was. */
export interface BarsHeld {
  readonly held: number;
  readonly of: number;
  readonly medianMicros: number;
}

export function barsHeld(pairs: readonly Pair[]): BarsHeld {
  let held = 0;
  let all = 0;
  for (const { reported, wire } of pairs)
    for (const part of parts) {
      const [told, was] = [reported.figures[part], figuresOf(wire, reported.leavesOursOut)[part]];
      if (told === null || was === null) continue;
      all += 1;
      const further = part === "total" ? reported.ownErrorBar : 0;
      const bar = (reported.errorBar ?? 0) + further;
      if (Math.abs(told - was) <= bar + captureToleranceNanos) held += 1;
    }
  const bars = pairs.map(({ reported }) => (reported.errorBar ?? 0) / 1e3);
  return { held, of: all, medianMicros: bars.length === 0 ? 0 : quantiles(bars).median };
}
