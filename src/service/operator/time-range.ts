import { hours, type Millis, minutes } from "#base/units";

/** How far back a monitor's charts reach, and how finely. */
export interface TimeRange {
  readonly name: RangeName;
  readonly length: Millis;
  /** What one point or column of a chart stands for. */
  readonly step: Millis;
  /** Whether results themselves are added up; else the rollups of hours or days are, which are kept for longer. */
  readonly from: "results" | "hours" | "days";
}

export const rangeNames = ["1h", "24h", "7d", "30d", "90d"] as const;
type RangeName = (typeof rangeNames)[number];

const ranges: { readonly [N in RangeName]: TimeRange } = {
  "1h": { name: "1h", length: hours(1), step: minutes(1), from: "results" },
  "24h": { name: "24h", length: hours(24), step: minutes(15), from: "results" },
  "7d": { name: "7d", length: hours(7 * 24), step: hours(2), from: "results" },
  "30d": { name: "30d", length: hours(30 * 24), step: hours(8), from: "hours" },
  "90d": { name: "90d", length: hours(90 * 24), step: hours(24), from: "days" },
};

/** The range of an address; a day where it names none that there is. */
export const rangeOf = (name: string | null): TimeRange =>
  ranges[rangeNames.find((one) => one === name) ?? "24h"];
