import { daysOf, type Recurrence } from "#service/alerting/recurrence";
import { coveredUntil, type SilenceTarget, isWithin } from "#service/alerting/silence";
import * as limits from "#limits/alerts-limits";
import { epochMillis, type EpochMillis } from "#base/units";

/** Planned work: what it covers opens no incident meanwhile. */
export interface Maintenance {
  readonly id: number;
  readonly title: string;
  readonly message: string;
  /** Of the first window. */
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Null: once. */
  readonly recurrence: Recurrence | null;
  /** Windows that repeat are at the same wall-clock time in this zone. */
  readonly timeZone: string;
  readonly monitors: readonly number[];
  readonly locations: readonly number[];
}

export interface Window {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/** The windows that end after an instant, the earliest first; at most `count`. */
export function windowsAfter(
  maintenance: Maintenance,
  after: EpochMillis,
  count: number,
): readonly Window[] {
  const { from, to, recurrence, timeZone } = maintenance;
  if (recurrence === null) return after < to ? [{ from, to }] : [];
  const first = wallOf(from, timeZone);
  const length = first.until(wallOf(to, timeZone));
  const begin = wallOf(after, timeZone).subtract(length).subtract({ days: 2 }).toPlainDate();
  const windows: Window[] = [];
  let skipped = 0;
  for (const day of daysOf(recurrence, first.toPlainDate(), begin)) {
    const wall = day.toPlainDateTime(first.toPlainTime());
    const window = { from: instantOf(wall, timeZone), to: instantOf(wall.add(length), timeZone) };
    if (isPast(recurrence.until, wall, window.from)) break;
    if (window.to > after && window.to > window.from) windows.push(window);
    else skipped += 1;
    if (windows.length >= count || skipped > limits.recurrenceCountMax) break;
  }
  return windows;
}

/** The window that an instant lies in; null outside of all. */
export function windowAt(maintenance: Maintenance, now: EpochMillis): Window | null {
  const [next] = windowsAfter(maintenance, now, 1);
  return next !== undefined && next.from <= now ? next : null;
}

/** A maintenance that something is under, and until when that or others cover it. */
interface MaintenanceCover {
  readonly maintenance: Maintenance;
  readonly until: EpochMillis;
}

/** What something is under now; null if it is under nothing. */
export function maintenanceOver(
  all: readonly Maintenance[],
  covered: SilenceTarget,
  now: EpochMillis,
): MaintenanceCover | null {
  const over = maintenancesOver(all, covered, now).flatMap((one) => {
    const window = windowAt(one, now);
    return window === null ? [] : [{ ...one, until: window.to }];
  });
  const until = coveredUntil(over, { covered, names: (one) => names(one, covered), now });
  const [maintenance] = over;
  return maintenance === undefined || until === null ? null : { maintenance, until };
}

/** The maintenances that something is under now, each alone or those of its locations together. */
export function maintenancesOver(
  all: readonly Maintenance[],
  covered: SilenceTarget,
  now: EpochMillis,
): readonly Maintenance[] {
  const current = all.filter((one) => concerns(one, covered) && windowAt(one, now) !== null);
  const areCovered = isWithin(
    covered.locations,
    current.flatMap(({ locations }) => locations),
  );
  return areCovered ? current : current.filter((one) => names(one, covered));
}

/** The maintenances that something was under at some time of a window; of what repeats, `count` windows are looked at. */
export function maintenancesDuring(
  all: readonly Maintenance[],
  covered: SilenceTarget,
  { from, to }: Window,
  count: number,
): readonly Maintenance[] {
  const begins = all
    .filter((one) => concerns(one, covered))
    .flatMap((one) => windowsAfter(one, from, count))
    .map((window) => window.from)
    .filter((at) => from < at && at < to);
  return [...new Set([from, ...begins].flatMap((at) => maintenancesOver(all, covered, at)))];
}

const names = ({ monitors }: Maintenance, { monitor }: SilenceTarget): boolean =>
  monitor !== null && monitors.includes(monitor);

/** Whether it names it, or a location of it. */
const concerns = (one: Maintenance, covered: SilenceTarget): boolean =>
  names(one, covered) || one.locations.some((location) => covered.locations.includes(location));

const wallOf = (instant: EpochMillis, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();

/** A time that the clocks skip is an hour later on that day; one that they show twice is the first of both. */
const instantOf = (wall: Temporal.PlainDateTime, timeZone: string): EpochMillis =>
  epochMillis(wall.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds);

/** UNTIL is an instant with Z, else a wall-clock time; a bare day is that whole day. */
function isPast(until: string | null, wall: Temporal.PlainDateTime, from: EpochMillis): boolean {
  if (until === null) return false;
  if (until.endsWith("Z")) return from > Temporal.Instant.from(until).epochMilliseconds;
  const last = Temporal.PlainDateTime.from(until.length === 8 ? `${until}T235959` : until);
  return Temporal.PlainDateTime.compare(wall, last) > 0;
}
