import { type LabelSelector, selects } from "#service/alerting/label-selector";
import { epochMillis, type EpochMillis } from "#base/units";

/** Nothing new is sent about what it covers until a time; incidents open and close as usual, and the end of what was sent is sent. */
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

/** The silences that cover something now, each alone or those of its locations together. */
export function silencesOver(
  all: readonly Silence[],
  covered: SilenceTarget,
  now: EpochMillis,
): readonly Silence[] {
  const current = all.filter(({ from, until }) => from <= now && now < until);
  const areSilenced = isWithin(
    covered.locations,
    current.flatMap(({ locations }) => locations),
  );
  const isOver = (one: Silence): boolean =>
    names(one, covered) ||
    (areSilenced && covered.locations.some((location) => one.locations.includes(location)));
  return current.filter(isOver);
}

/** The silences that covered something at some time between two, the earliest first. */
export function silencesDuring(
  all: readonly Silence[],
  covered: SilenceTarget,
  from: EpochMillis,
  to: EpochMillis,
): readonly Silence[] {
  const begins = all.map((one) => one.from).filter((at) => from < at && at <= to);
  const found = new Set([from, ...begins].flatMap((at) => silencesOver(all, covered, at)));
  return [...found].toSorted((a, b) => a.from - b.from);
}

/** Until when something is silenced; null if it is not. Of its locations, the first that no silence names any more ends it. */
export function silencedUntil(
  all: readonly Silence[],
  covered: SilenceTarget,
  now: EpochMillis,
): EpochMillis | null {
  const over = silencesOver(all, covered, now);
  return coveredUntil(over, { covered, names: (one) => names(one, covered), now });
}

/** What covers something for a while. */
interface Cover {
  readonly locations: readonly number[];
  readonly until: EpochMillis;
}

/** Until when what covers something does so, by itself or by all of its locations; null if nothing covers it. */
export function coveredUntil<C extends Cover>(
  over: readonly C[],
  {
    covered: { locations: all },
    names: isNamed,
    now,
  }: {
    readonly covered: Pick<SilenceTarget, "locations">;
    readonly names: (one: C) => boolean;
    readonly now: EpochMillis;
  },
): EpochMillis | null {
  if (over.length === 0) return null;
  const byName = Math.max(now, ...over.filter(isNamed).map(({ until }) => until));
  return epochMillis(Math.max(byName, firstFree(over, all, now)));
}

/** When the first of some locations is covered no more. */
export function firstFree(
  over: readonly Cover[],
  locations: readonly number[],
  now: EpochMillis,
): EpochMillis {
  const ends = locations.map((location) => {
    const own = over.filter((one) => one.locations.includes(location));
    return Math.max(now, ...own.map(({ until }) => until));
  });
  return ends.length === 0 ? now : epochMillis(Math.min(...ends));
}

/** Whether it names a monitor, by itself or by a label. */
const names = ({ monitors, labels }: Silence, { monitor, labels: its }: SilenceTarget): boolean =>
  (monitor !== null && monitors.includes(monitor)) ||
  (Object.keys(labels).length > 0 && selects(labels, its));

/** Whether all of some locations are among others; none are among nothing. */
export const isWithin = (some: readonly number[], others: readonly number[]): boolean =>
  some.length > 0 && some.every((one) => others.includes(one));
