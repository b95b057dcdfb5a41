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
  /** Windows of what repeats that begin or end at another time than the others. */
  readonly movedEnds: readonly MovedWindow[];
}

export interface Window {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/**
 * A window whose end was moved, and when it was to begin and to end before that. One that is skipped ends as it was to
 * begin.
 */
export interface MovedWindow extends Window {
  readonly planned: EpochMillis;
  /** When it began, if that was before it was to. */
  readonly begins?: EpochMillis;
}

export const beginOf = ({
  from,
  begins = from,
}: Pick<MovedWindow, "from" | "begins">): EpochMillis => begins;

/** Whether it does not take place: a window that ends as it begins is none. */
export const isSkipped = ({ from, to, begins }: Window & Partial<MovedWindow>): boolean =>
  to === from && begins === undefined;

/** The windows that end after an instant, the earliest first; at most `count`. */
export function windowsAfter(
  maintenance: Maintenance,
  after: EpochMillis,
  count: number,
): readonly Window[] {
  const { from, to, recurrence, timeZone } = maintenance;
  if (recurrence === null) return after < to ? [{ from, to }] : [];
  const length = wallOf(from, timeZone).until(wallOf(to, timeZone));
  // One that was extended may have begun long before the others that end after an instant.
  const lasting = maintenance.movedEnds.filter((one) => one.to > after).map((one) => one.from);
  const earliest = epochMillis(Math.min(after, ...lasting));
  const begin = wallOf(earliest, timeZone).subtract(length).subtract({ days: 2 }).toPlainDate();
  const windows: Window[] = [];
  let skipped = 0;
  for (const window of windowsOf(maintenance, recurrence, begin)) {
    if (window.to > after && isSome(window)) windows.push(window);
    else skipped += 1;
    if (windows.length >= count || skipped > limits.recurrenceCountMax) break;
  }
  return windows;
}

/** The window that begins at an instant; null if none does. */
export function windowFrom(maintenance: Maintenance, begin: EpochMillis): Window | null {
  const { from, to, recurrence, timeZone } = maintenance;
  if (recurrence === null) return from === begin ? { from, to } : null;
  const day = wallOf(begin, timeZone).subtract({ days: 1 }).toPlainDate();
  for (const window of windowsOf(maintenance, recurrence, day))
    if (window.from >= begin) return window.from === begin ? window : null;
  return null;
}

/** What of planned work says when it takes place. */
export type Times = Pick<Maintenance, "from" | "to" | "recurrence" | "timeZone">;

/** The window of what repeats that begins on the same day as an instant, at the time that `times` have; null if none does. */
export function windowOnDayOf(begin: EpochMillis, zone: string, times: Times): Window | null {
  if (times.recurrence === null) return null;
  const day = wallOf(begin, zone).toPlainDate();
  const all = windowsOf({ ...times, movedEnds: [] }, times.recurrence, day);
  const { value: first } = all.next();
  if (first === undefined) return null;
  return wallOf(first.from, times.timeZone).toPlainDate().equals(day) ? first : null;
}

/** The last window of all; null if it repeats without end, or if it has none. */
export function lastWindow(maintenance: Maintenance): Window | null {
  const { from, to, recurrence, timeZone } = maintenance;
  if (recurrence === null) return { from, to };
  const first = wallOf(from, timeZone).toPlainDate();
  for (const begin of lateDays(recurrence, first)) {
    const last = [...windowsOf(maintenance, recurrence, begin)].findLast(isSome);
    if (last !== undefined) return last;
  }
  return null;
}

/** Days that the last window may begin on or after: so close to the end that few come after them, then earlier ones. */
function* lateDays(recurrence: Recurrence, first: Temporal.PlainDate) {
  const { count, until, every, interval } = recurrence;
  if (count !== null) {
    const last = [...daysOf(recurrence, first, first)].at(-1);
    if (last !== undefined) yield last;
  }
  if (until === null) return;
  const end = Temporal.PlainDate.from(until.slice(0, 8));
  const period = { DAILY: 1, WEEKLY: 7, MONTHLY: 31 }[every] * interval;
  for (let days = period + 1; ; days *= 2) {
    const begin = end.subtract({ days });
    yield begin;
    if (Temporal.PlainDate.compare(begin, first) <= 0) return;
  }
}

/** All windows of what repeats that begin on a day or later, the earliest first; perhaps without end. */
function* windowsOf(
  { from, to, timeZone, movedEnds }: Omit<Times, "recurrence"> & Pick<Maintenance, "movedEnds">,
  recurrence: Recurrence,
  begin: Temporal.PlainDate,
): Generator<Window> {
  const first = wallOf(from, timeZone);
  const length = first.until(wallOf(to, timeZone));
  const moved = new Map(movedEnds.map((one) => [one.from, { from: beginOf(one), to: one.to }]));
  for (const day of daysOf(recurrence, first.toPlainDate(), begin)) {
    const wall = day.toPlainDateTime(first.toPlainTime());
    const begin = instantOf(wall, timeZone);
    if (isPast(recurrence.until, wall, begin)) return;
    yield moved.get(begin) ?? { from: begin, to: instantOf(wall.add(length), timeZone) };
  }
}

/** Clocks that go forward can leave nothing of a window, and one that is skipped has none. */
const isSome = ({ from, to }: Window): boolean => to > from;

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

/** A window of a maintenance in which something was under it. */
interface CoveredWindow extends Window {
  readonly maintenance: Maintenance;
}

/**
 * The windows, between two instants, in which something was under maintenances: by itself, or at a time by those of all of
 * its locations together. Of what repeats, `count` windows are looked at. Each maintenance's windows are calculated once.
 */
export function coveredWindows(
  all: readonly Maintenance[],
  covered: SilenceTarget,
  { from, to }: Window,
  count: number,
): readonly CoveredWindow[] {
  const windows = all
    .filter((maintenance) => concerns(maintenance, covered))
    .map((maintenance) =>
      windowsAfter(maintenance, from, count)
        .filter((window) => window.from < to)
        .map((window): CoveredWindow => ({ ...window, maintenance })),
    );
  const flat = windows.flat();
  return flat.filter(
    (window) => isAlone(window.maintenance, covered) || isTogether(window, flat, covered),
  );
}

/** Whether it covers something, whatever other work there is. */
const isAlone = (one: Maintenance, covered: SilenceTarget): boolean =>
  names(one, covered) || isWithin(covered.locations, one.locations);

/** Whether at some time of a window all locations are covered: the others that count begin or run in it. */
function isTogether(
  window: CoveredWindow,
  others: readonly CoveredWindow[],
  { locations }: SilenceTarget,
): boolean {
  const near = others.filter((one) => one.from < window.to && window.from < one.to);
  return near.some(({ from }) => {
    const at = Math.max(from, window.from);
    const open = near.filter((one) => one.from <= at && at < one.to);
    return isWithin(
      locations,
      open.flatMap(({ maintenance }) => maintenance.locations),
    );
  });
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
