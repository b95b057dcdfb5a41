import { type EpochMillis, millis, type Millis } from "#base/units";

/** How long a Retry-After header asks to wait: seconds, or a date (RFC 9110 §10.2.3); null if it names neither. */
export function retryAfterOf(header: string | null, now: EpochMillis): Millis | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return millis(Number(header) * 1000);
  const until = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(until) ? null : millis(Math.max(0, until - now));
}
