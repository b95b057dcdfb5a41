import { violation } from "#service/edge/call-refusal";
import { epochMillis, type EpochMillis } from "#base/units";

/** `2026-08-12T14:00`: what a clock on a wall of the zone shows at an instant, as the browser's picker has it. */
export const wallClock = (instant: EpochMillis, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" });

/**
 * The instant at which a clock of the zone shows this. A time that the clocks skip is refused, with the next that there
 * is. A time that comes twice is the first, unless `kept` is one that shows the same: then nothing was changed.
 */
export function instantOf(
  field: string,
  wall: string,
  timeZone: string,
  kept: EpochMillis | null,
): EpochMillis {
  if (kept !== null && wallClock(kept, timeZone) === wall) return kept;
  const plain = plainOf(wall);
  if (plain === null)
    throw violation({ field, message: "must be a day and a time, for example 2026-08-12T14:00" });
  const first = plain.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const last = plain.toZonedDateTime(timeZone, { disambiguation: "later" });
  if (!first.toPlainDateTime().equals(plain))
    throw violation({
      field,
      message: `does not exist in ${timeZone}, because the clocks skip it: take ${last.toPlainTime().toString({ smallestUnit: "minute" })}`,
    });
  return epochMillis(first.epochMilliseconds);
}

function plainOf(text: string): Temporal.PlainDateTime | null {
  try {
    return text === "" ? null : Temporal.PlainDateTime.from(text);
  } catch {
    return null;
  }
}
