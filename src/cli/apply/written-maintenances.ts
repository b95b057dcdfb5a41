import { readRecurrence } from "#alerting/recurrence";
import type { Path } from "#check/argument";
import type { FileReading } from "#cli/apply/file-reading";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import type { AnnouncedOn, MaintenanceValues } from "#resources/maintenance-arguments";

/** A maintenance that files want; both instants in RFC 3339. */
export interface WantedMaintenance {
  readonly path: Path;
  readonly title: string;
  readonly renamedFrom: string;
  readonly message: string;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly recurrence: string;
  readonly monitors: readonly string[];
  readonly locations: readonly string[];
  readonly announced: AnnouncedOn | null;
}

/** The maintenances of a file; what is wrong with them is reported. */
export const writtenMaintenances = (
  values: readonly MaintenanceValues[],
  reading: FileReading,
): readonly WantedMaintenance[] =>
  values.map((one, index) => {
    const path = ["maintenances", index];
    const wrong = (key: string, message: string): void => {
      if (!reading.isMistaken([...path, key])) reading.report([...path, key], message);
    };
    const instant = (key: "from" | "to"): string => {
      const read = instantOf(one[key], one.time_zone);
      if (read === null)
        wrong(key, 'must be a time, e.g. "2026-12-01T22:00" or "2026-12-01T22:00:00+01:00"');
      return read ?? "";
    };
    judge(one, wrong, reading.isMistaken([...path, "components"]));
    const [from, to] = [instant("from"), instant("to")];
    if (from !== "" && to !== "" && to <= from) wrong("to", "must be later than it begins");
    return {
      path,
      title: one.title,
      renamedFrom: one.renamed_from,
      message: one.message,
      from,
      to,
      timeZone: one.time_zone,
      recurrence: one.recurrence,
      monitors: one.monitors,
      locations: one.locations,
      announced: one.components,
    };
  });

/** The service has the same rules. */
function judge(
  one: MaintenanceValues,
  wrong: (key: string, message: string) => void,
  isAnnounced: boolean,
): void {
  const { title, message, recurrence, monitors, locations, components } = one;
  if (title === "" || title.length > checkLimits.nameCharsMax)
    wrong("title", `must have 1 to ${checkLimits.nameCharsMax} characters`);
  if (message === "" || message.length > alertsLimits.maintenanceMessageCharsMax)
    wrong("message", `must have 1 to ${alertsLimits.maintenanceMessageCharsMax} characters`);
  if (!isZone(one.time_zone))
    wrong("time_zone", "must be the name of a time zone, e.g. Europe/Berlin");
  const rule = recurrence === "" ? null : readRecurrence(recurrence);
  if (rule?.ok === false) wrong("recurrence", rule.message);
  if (monitors.length + locations.length === 0 && components === null && !isAnnounced)
    wrong("monitors", "must name a monitor, locations a private location, or components a page");
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).format(0) !== "";
  } catch {
    return false;
  }
}

/** A time of day without an offset is meant in the time zone; null for what is no time. */
function instantOf(text: string, timeZone: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) return null;
  try {
    if (/(Z|[+-]\d{2}:\d{2})$/i.test(text)) return Temporal.Instant.from(text).toString();
    const zone = isZone(timeZone) ? timeZone : "UTC";
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString();
  } catch {
    return null;
  }
}
