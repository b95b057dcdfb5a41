import { type Millis, millis } from "#base/units";

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

const factors: ReadonlyMap<string, number> = new Map([
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
