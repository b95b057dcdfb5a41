import { calendarZoneAhead } from "#limits/status-limits";
import { after, type EpochMillis, minutes } from "#base/units";

/** A time zone as a calendar describes it (RFC 5545, §3.6.5): its clocks from an instant on, and for years after now. */
export function zoneLines(
  timeZone: string,
  from: EpochMillis,
  now: EpochMillis,
): readonly string[] {
  const last = after(now, calendarZoneAhead);
  const changes = [];
  let clock = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const first = clock.offsetNanoseconds;
  for (;;) {
    const next = clock.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > last) break;
    changes.push({ at: next, before: offsetBefore(next) });
    clock = next;
  }
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${timeZone}`,
    ...clockLines("STANDARD", "19700101T000000", first, first),
    ...changes.flatMap(({ at, before }) => {
      const now = at.offsetNanoseconds;
      const kind = now > before ? "DAYLIGHT" : "STANDARD";
      // It begins at the time that the clocks before it show.
      const begin = at.toInstant().toZonedDateTimeISO(offsetText(before, ":")).toPlainDateTime();
      return clockLines(kind, wallText(begin), before, now);
    }),
    "END:VTIMEZONE",
  ];
}

/** Of a clock a moment before it is changed. */
const offsetBefore = (change: Temporal.ZonedDateTime): number =>
  change.subtract({ milliseconds: 1 }).offsetNanoseconds;

const clockLines = (
  kind: "DAYLIGHT" | "STANDARD",
  begin: string,
  before: number,
  now: number,
): readonly string[] => [
  `BEGIN:${kind}`,
  `DTSTART:${begin}`,
  `TZOFFSETFROM:${offsetText(before)}`,
  `TZOFFSETTO:${offsetText(now)}`,
  `END:${kind}`,
];

/** `+0100`; offsets of before 1900 have seconds, which are left out. */
function offsetText(nanoseconds: number, between = ""): string {
  const total = Math.trunc(Math.abs(nanoseconds) / 1e6 / minutes(1));
  const [hour, minute] = [Math.trunc(total / 60), total % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${nanoseconds < 0 ? "-" : "+"}${two(hour)}${between}${two(minute)}`;
}

/** `20261201T220000`, by a clock of a zone that is named elsewhere. */
export const wallText = (wall: Temporal.PlainDateTime): string =>
  wall.toString({ smallestUnit: "second" }).replace(/[-:]/g, "");
