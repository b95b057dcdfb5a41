import { type LabelSelector, selects } from "#service/alerting/label-selector";
import type { EpochMillis } from "#base/units";

/** Nothing is sent about what it covers until a time; incidents open and close as usual. */
export interface Silence {
  readonly id: number;
  readonly monitors: readonly number[];
  readonly locations: readonly number[];
  /** Empty selects nothing by labels. */
  readonly labels: LabelSelector;
  readonly from: EpochMillis;
  readonly until: EpochMillis;
  readonly reason: string;
  /** The key that made it. */
  readonly by: string;
}

/** What may be silenced, or under maintenance. */
export interface SilenceTarget {
  /** Null for what is about a location. */
  readonly monitor: number | null;
  /** A monitor's are all of those that see it: one that is not covered still notifies. */
  readonly locations: readonly number[];
  readonly labels: Readonly<Record<string, string>>;
}

/** The silences that cover something now. */
export const silencesOver = (
  all: readonly Silence[],
  covered: SilenceTarget,
  now: EpochMillis,
): readonly Silence[] =>
  all.filter(({ from, until }) => from <= now && now < until).filter((one) => covers(one, covered));

/** The silences that covered something at some time between two, the earliest first. */
export const silencesDuring = (
  all: readonly Silence[],
  covered: SilenceTarget,
  from: EpochMillis,
  to: EpochMillis,
): readonly Silence[] =>
  all
    .filter((one) => one.from <= to && one.until > from && covers(one, covered))
    .toSorted((a, b) => a.from - b.from);

/** The one of them that lasts the longest; null when there is none. */
export const silenceOver = (
  all: readonly Silence[],
  covered: SilenceTarget,
  now: EpochMillis,
): Silence | null =>
  silencesOver(all, covered, now).reduce<Silence | null>(
    (longest, one) => (longest !== null && longest.until >= one.until ? longest : one),
    null,
  );

function covers({ monitors, locations, labels }: Silence, covered: SilenceTarget): boolean {
  if (covered.monitor !== null && monitors.includes(covered.monitor)) return true;
  if (isWithin(covered.locations, locations)) return true;
  return Object.keys(labels).length > 0 && selects(labels, covered.labels);
}

/** Whether all of some locations are among others; none are among nothing. */
export const isWithin = (some: readonly number[], others: readonly number[]): boolean =>
  some.length > 0 && some.every((one) => others.includes(one));
