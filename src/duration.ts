import { type Millis, millis } from "#units";

/** A duration as a person writes it, `500ms`, `20s`, `5m` or `1h`; null for anything else. */
export function parseDuration(text: string): Millis | null {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const factor = factors.get(unit ?? "");
  return digits === undefined || factor === undefined ? null : millis(Number(digits) * factor);
}

const factors: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
