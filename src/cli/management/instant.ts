/** An instant of the wire as a person reads it, in UTC: `2026-11-22 14:02:11`; a dash if there is none. */
export const shownInstant = (text: string): string =>
  text === "" ? "–" : text.replace("T", " ").replace(/(\.\d+)?Z$/, "");

/** How long ago an instant was, in one unit: `12 min`; a dash if there is none. */
export function shownAge(text: string, now: number): string {
  const elapsed = text === "" ? Number.NaN : now - Date.parse(text);
  if (Number.isNaN(elapsed)) return "–";
  const seconds = Math.max(0, Math.floor(elapsed / 1000));
  // From two of a unit on.
  const [unit, size] = units.find(([, one]) => seconds >= 2 * one) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const units: readonly (readonly [string, number])[] = [
  ["days", 86_400],
  ["h", 3_600],
  ["min", 60],
];
