import { refuseViolations } from "#service/edge/call-refusal";
import { epochMillis, type EpochMillis } from "#base/units";

/** An instant as RFC 3339 says it; what is none is refused by its field. */
export function writtenTime(field: string, text: string): EpochMillis {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(text);
  const value = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(value))
    refuseViolations([
      { field, message: "must be a time with a zone, for example 2026-08-12T14:00:00Z" },
    ]);
  return epochMillis(value);
}

/** What a clock on a wall of the zone shows, as an instant in RFC 3339; null for what is no day and time. */
export function wallTime(text: string, timeZone: string): string | null {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return null;
  }
}
