import { type EpochMillis, type Millis, millis } from "#base/units";

/** A duration as a person writes it, `500ms`, `20s`, `5m` or `1h`; null for anything else. */
export function parseDuration(text: string): Millis | null {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const factor = factors.get(unit ?? "");
  return digits === undefined || factor === undefined ? null : millis(Number(digits) * factor);
}

/** The same as that reads; empty for none. */
export function durationText(duration: Millis): string {
  if (duration === 0) return "";
  if (duration % 3_600_000 === 0) return `${duration / 3_600_000}h`;
  if (duration % 60_000 === 0) return `${duration / 60_000}m`;
  return duration % 1000 === 0 ? `${duration / 1000}s` : `${duration}ms`;
}

/**
 * A duration as people type it into a form, in milliseconds: `5s`, `5 s`, `0.5 sec`, `1 min 30 s`. Null for anything else,
 * also for a number without a unit.
 */
export function typedDuration(text: string): number | null {
  const rest = text.trim();
  let sum = 0;
  let at = 0;
  while (at < rest.length || at === 0) {
    part.lastIndex = at;
    const [, figure = "", unit = ""] = part.exec(rest) ?? [];
    const factor = factors.get(typedUnits.get(unit.toLowerCase()) ?? "");
    if (factor === undefined) return null;
    sum += Number(figure.replace(",", ".")) * factor;
    at = part.lastIndex;
  }
  // A tenth of a second is no whole number of milliseconds to a computer otherwise.
  return Number(sum.toFixed(6));
}

const part = /\s*(\d{1,9}(?:[.,]\d{1,9})?)\s*([a-z]+)\s*/iy;

/** As a form shows one: `500 ms`, `45 s`, `2 min`. */
export function shownDuration(duration: number): string {
  const exact = [...shownUnits].find(([, factor]) => duration > 0 && duration % factor === 0);
  const [unit, factor] = exact ?? (["ms", 1] as const);
  return `${duration / factor} ${unit}`;
}

const shownUnits: ReadonlyMap<string, number> = new Map([
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
]);

const typedUnits: ReadonlyMap<string, string> = new Map(
  [
    ["ms", "msec", "msecs", "millisecond", "milliseconds"],
    ["s", "sec", "secs", "second", "seconds"],
    ["m", "min", "mins", "minute", "minutes"],
    ["h", "hr", "hrs", "hour", "hours"],
    ["d", "day", "days"],
  ].flatMap(([unit = "", ...others]) => [unit, ...others].map((one) => [one, unit] as const)),
);

const factors: ReadonlyMap<string, number> = new Map([
  ["d", 86_400_000],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

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

const second = [1, "s"] as const;
const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  second,
];

/** How long it is between two instants as people are shown them, to the second: from 14:02:20 to 14:04:20 it is 2 min. */
export const shownLength = (from: EpochMillis, to: EpochMillis): Millis =>
  millis(Math.max(0, Math.floor(to / 1_000) - Math.floor(from / 1_000)) * 1_000);
