import { lasting } from "#base/duration";
import { between, type EpochMillis } from "#base/units";

/* Times and durations as a person reads them; a time always says its zone. */

/** `22 Nov 2026, 14:02:10 UTC`. */
export const instant = (at: EpochMillis, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...wholly }).format(at);

/** `14:02 UTC`. */
export const shortInstant = (at: EpochMillis, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...shortly }).format(at);

/** `14:02:10 UTC to 14:06:20 UTC (4 min 10 s)`, each with its day. */
export const stretch = (from: EpochMillis, to: EpochMillis, timeZone: string): string =>
  `${instant(from, timeZone)} to ${instant(to, timeZone)} (${lasting(between(from, to))})`;

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
