import type { MonitorId } from "#service/store/ids";
import type { EpochMillis, Millis } from "#base/units";

/**
 * Days of monitors, all locations of each together, oldest first: a row of `dayColumns` numbers each. A hundred thousand
 * of them cross between threads as one block.
 */
export type DayTable = Float64Array;
/**
 * `known` is what is known at the location that knows most, and `down` how long half of the locations saw it down
 * (`half-down.ts`); the others are sums over all locations.
 */
export const dayColumns = [
  "monitor",
  "begin",
  "known",
  "down",
  "checks",
  "slow",
  "errors",
] as const;

/** Days of one monitor together; as the columns are. */
export interface DaysSum {
  readonly known: Millis;
  readonly down: Millis;
  readonly checks: number;
}

/** The same of two stretches of days that follow each other, for comparison. */
export interface SumAndBefore extends DaysSum {
  /** What the days before `from` come to. */
  readonly before: DaysSum;
  /** The days since `from` that have downtime, in no order. */
  readonly downDays: readonly DayDown[];
}

/** How long a monitor was down on a day. */
export interface DayDown {
  readonly begin: EpochMillis;
  readonly down: Millis;
}

/** Stretches of one monitor that do not overlap, e.g. the outages of an incident: `from` (included) to `to`. */
export interface SpansQuery {
  readonly monitor: MonitorId;
  readonly spans: readonly DowntimeSpan[];
}
export interface DowntimeSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}
