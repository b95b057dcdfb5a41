/**
 * Uptime in hundredths of a percent: the share of the known time that was not down. Rounded down, and never 100 % with any
 * downtime; null if nothing is known. Every page, file and message that says an uptime calculates it here. Time without
 * results counts as neither.
 */
export function uptimeShare(known: number, down: number): number | null {
  if (known <= 0) return null;
  // One division: 1 − down / known would lose a hundredth here and there.
  const hundredths = Math.max(0, Math.floor(((known - down) * 10_000) / known));
  return down > 0 ? Math.min(hundredths, 9_999) : hundredths;
}
