import type { EpochMillis, Millis } from "#base/units";

/** How fast a public monitor answered, as its page shows it. */
export interface LatencyFacts {
  /** The last 24 hours and the days of the page, oldest first; those without a result are left out. */
  readonly hours: readonly LatencyStep[];
  readonly days: readonly LatencyStep[];
  /** All of these hours together. */
  readonly lately: LatencyFigures;
  /** The last days up to now, the fewest first. */
  readonly windows: readonly LatencyWindow[];
  /** What each location saw over the fewest days, the oldest location first. Their names are the operator's own. */
  readonly places: readonly LatencyFigures[];
}

/** What the checks of some time add up to. */
export interface LatencyFigures {
  readonly checks: number;
  readonly failed: number;
  /** Of the checks that passed, in the order of `shares`; null if there was none. */
  readonly quantiles: readonly (Millis | null)[];
}

export interface LatencyStep extends LatencyFigures {
  readonly begin: EpochMillis;
}

interface LatencyWindow extends LatencyFigures {
  readonly days: number;
}

/** Which quantiles a page shows. */
export const shares = [
  { name: "p50", share: 0.5 },
  { name: "p75", share: 0.75 },
  { name: "p90", share: 0.9 },
  { name: "p95", share: 0.95 },
  { name: "p99", share: 0.99 },
] as const;

export const quantileOf = (
  { quantiles }: LatencyFigures,
  wanted: (typeof shares)[number]["name"],
): Millis | null => quantiles[shares.findIndex(({ name }) => name === wanted)] ?? null;
