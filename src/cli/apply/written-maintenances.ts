import type { Path } from "#check/argument";
import type { FileReading } from "#cli/apply/file-reading";
import { isTimeZone } from "#base/time-zone";
import type { Mistake } from "#check/findings";
import {
  maintenanceViolations,
  lacksSubscribers,
  namesNothing,
} from "#service/maintenance/maintenance-rules";
import { wallTime } from "#service/edge/written-time";
import { epochMillis } from "#base/units";
import type { AnnouncedOn, MaintenanceValues } from "#service/resources/maintenance-arguments";

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
  /** What subscribers are sent by itself; null: as it is. */
  readonly remindSubscribers: boolean | null;
  readonly sayTimes: boolean | null;
}

/** The maintenances of a file; what is wrong with them is reported. */
export const writtenMaintenances = (
  values: readonly MaintenanceValues[],
  reading: FileReading,
): readonly WantedMaintenance[] =>
  values.map((one, index) => {
    const path = ["maintenances", index];
    const wrong = (field: string, message: string): void =>
      reading.judge(path, [{ field, message }]);
    const instant = (key: "from" | "to"): string => {
      const read = instantOf(one[key], one.time_zone);
      if (read === null)
        wrong(key, 'must be a time, e.g. "2026-12-01T22:00" or "2026-12-01T22:00:00+01:00"');
      return read ?? "";
    };
    const [from, to] = [instant("from"), instant("to")];
    reading.judge(path, faultsOf(one, { from, to }));
    const refers = one.monitors.length + one.locations.length > 0 || one.components !== null;
    if (!refers && !reading.isMistaken([...path, "components"])) wrong("monitors", namesNothing);
    for (const field of ["remind_subscribers", "say_times"] as const)
      if (one[field] === true && one.components === null) wrong(field, lacksSubscribers);
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
      remindSubscribers: one.remind_subscribers,
      sayTimes: one.say_times,
    };
  });

/** By the rules of the service; what it is about is looked at apart. */
function faultsOf(
  { title, message, recurrence, time_zone: timeZone }: MaintenanceValues,
  { from, to }: { readonly from: string; readonly to: string },
): readonly Mistake[] {
  const isTimed = from !== "" && to !== "";
  return maintenanceViolations({
    title,
    message,
    recurrence,
    timeZone,
    // A time that cannot be read is reported; any other stands in for it.
    from: epochMillis(isTimed ? Date.parse(from) : 0),
    to: epochMillis(isTimed ? Date.parse(to) : 1),
    page: "",
    components: [],
    monitors: [0],
    locations: [],
    owner: "",
    notify: true,
    at: epochMillis(0),
  });
}

/** A time of day without an offset is meant in the time zone; null for what is no time. */
function instantOf(text: string, timeZone: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) return null;
  if (!/(Z|[+-]\d{2}:\d{2})$/i.test(text))
    return wallTime(text, isTimeZone(timeZone) ? timeZone : "UTC");
  try {
    return Temporal.Instant.from(text).toString();
  } catch {
    return null;
  }
}
