import {
  isSkipped,
  type Maintenance,
  windowFrom,
  windowsAfter,
} from "#service/alerting/maintenance";
import type { Recurrence } from "#service/alerting/recurrence";
import type { SeriesFacts } from "#service/status-page/page-facts";
import { epochMillis } from "#base/units";

/** Planned work that repeats, as calendars have it; null of what happens once, and of a rule that has no time. */
export function seriesOf(maintenance: Maintenance): SeriesFacts | null {
  const { recurrence, timeZone, from } = maintenance;
  if (recurrence === null) return null;
  const asPlanned = { ...maintenance, movedEnds: [] };
  const [first] = windowsAfter(asPlanned, from, 1);
  if (first === undefined) return null;
  const skipped = maintenance.movedEnds
    .filter(isSkipped)
    .flatMap((one) => windowFrom(asPlanned, one.from) ?? []);
  const early = maintenance.movedEnds.flatMap(({ from, begins }) =>
    begins === undefined ? [] : [{ from: begins, planned: from }],
  );
  return { first, rule: ruleOf(recurrence, timeZone), timeZone, skipped, early };
}

function ruleOf(recurrence: Recurrence, timeZone: string): string {
  const { every, interval, days, monthDays } = recurrence;
  if (every === "WEEKLY" && monthDays.length > 0) return "";
  const names = days.map(({ day, nth }) => `${nth === 0 ? "" : nth}${codes[day - 1] ?? ""}`);
  return [
    `FREQ=${every}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...(names.length === 0 ? [] : [`BYDAY=${names.join(",")}`]),
    ...(monthDays.length === 0 ? [] : [`BYMONTHDAY=${monthDays.join(",")}`]),
    ...endOf(recurrence, timeZone),
  ].join(";");
}

const codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** A calendar has an end as an instant. */
function endOf({ count, until }: Recurrence, timeZone: string): readonly string[] {
  if (count !== null) return [`COUNT=${count}`];
  if (until === null) return [];
  if (until.endsWith("Z")) return [`UNTIL=${until}`];
  const last = Temporal.PlainDateTime.from(until.length === 8 ? `${until}T235959` : until);
  const end = epochMillis(last.toZonedDateTime(timeZone).epochMilliseconds);
  return [`UNTIL=${new Date(end).toISOString().replace(/[-:]|\.\d+/g, "")}`];
}
