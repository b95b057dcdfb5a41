import { between, type EpochMillis, type Millis } from "#units";

/* Times and durations as a person reads them; a time always says its zone. */

/** `22 Nov 2026, 14:02:10 UTC`. */
export const instant = (at: EpochMillis, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...wholly }).format(at);

/** `14:02 UTC`. */
export const shortInstant = (at: EpochMillis, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...shortly }).format(at);

/** `45 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`: two units, rounded down. */
export function lasting(duration: Millis): string {
  const seconds = Math.max(0, Math.floor(duration / 1000));
  const index = units.findIndex(([size]) => seconds >= size);
  const [size, name] = units[index] ?? second;
  const [smaller, smallerName] = units[index + 1] ?? second;
  const whole = `${Math.floor(seconds / size)} ${name}`;
  const rest = Math.floor((seconds % size) / smaller);
  return size === 1 || rest === 0 ? whole : `${whole} ${rest} ${smallerName}`;
}

/** `14:02:10 UTC to 14:06:20 UTC (4 min 10 s)`, each with its day. */
export const stretch = (from: EpochMillis, to: EpochMillis, timeZone: string): string =>
  `${instant(from, timeZone)} to ${instant(to, timeZone)} (${lasting(between(from, to))})`;

const second = [1, "s"] as const;
const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  second,
];

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
