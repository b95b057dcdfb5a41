import { lasting, shownLength } from "#base/duration";
import { withZoneName } from "#web/page/zone-name";
import type { EpochMillis } from "#base/units";

/* Times and durations as a person reads them; a time always says its zone. */

/** `22 Nov 2026, 14:02:10 UTC`. */
export const instant = (at: EpochMillis, timeZone: string): string => written(wholly, at, timeZone);

/** `14:02 UTC`. */
export const shortInstant = (at: EpochMillis, timeZone: string): string =>
  written(shortly, at, timeZone);

/** `14:02 UTC`; with its day, `21 Nov, 23:10 UTC`, if that is another than the day of `now`. */
export const nearInstant = (at: EpochMillis, now: EpochMillis, timeZone: string): string =>
  partsOf(at, timeZone).day === partsOf(now, timeZone).day
    ? shortInstant(at, timeZone)
    : written({ ...shortly, day: "numeric", month: "short" }, at, timeZone);

const written = (how: Intl.DateTimeFormatOptions, at: EpochMillis, timeZone: string): string =>
  withZoneName(new Intl.DateTimeFormat("en-GB", { timeZone, ...how }).format(at), timeZone, [at]);

/** `22 Nov 2026, 14:02:10 to 14:06:20 UTC (4 min 10 s)`. */
export const stretch = (from: EpochMillis, to: EpochMillis, timeZone: string): string =>
  `${fromTo(from, to, timeZone)} (${lasting(shownLength(from, to))})`;

/** `22 Nov 2026, 14:02:10 to 14:06:20 UTC`: the day and the zone once where they are the same for both. */
export function fromTo(from: EpochMillis, to: EpochMillis, timeZone: string): string {
  const [begin, end] = [partsOf(from, timeZone), partsOf(to, timeZone)];
  if (begin.day !== end.day) return `${instant(from, timeZone)} to ${instant(to, timeZone)}`;
  const zone = begin.zone === end.zone ? "" : ` ${begin.zone}`;
  return `${begin.day}, ${begin.time}${zone} to ${end.time} ${end.zone}`;
}

/** Clocks that are set back or forward on a day make its zone another one. */
function partsOf(at: EpochMillis, timeZone: string) {
  const said = instant(at, timeZone);
  const [, day = "", time = "", zone = ""] = /^(.*), ([\d:]+) (.*)$/.exec(said) ?? [];
  return { day, time, zone };
}

const wholly: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
};

const shortly: Intl.DateTimeFormatOptions = {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
};
