import {
  type Argument,
  optionalFlag,
  type Path,
  type Reading,
  text,
  texts,
  type ValuesOf,
} from "#check/argument";
import type { ArgumentFor } from "#check/field-names";
import type { MaintenanceFieldName } from "#service/resources/maintenance-definition";
import { isMapping } from "#base/json";
import { renamedFrom } from "#check/kinds/common-arguments";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";

interface MaintenanceArguments extends ArgumentFor<MaintenanceFieldName> {
  readonly title: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly message: Argument<string>;
  readonly from: Argument<string>;
  readonly to: Argument<string>;
  readonly time_zone: Argument<string>;
  readonly recurrence: Argument<string>;
  readonly monitors: Argument<readonly string[]>;
  readonly locations: Argument<readonly string[]>;
  readonly components: Argument<AnnouncedOn | null>;
  readonly remind_subscribers: Argument<boolean | null>;
  readonly say_times: Argument<boolean | null>;
}

/** The page that a maintenance is announced on, and which components of it are worked on. */
export interface AnnouncedOn {
  readonly page: string;
  readonly components: readonly string[];
}

const names = texts({ does: "", fallback: [] });

const announced: Argument<AnnouncedOn | null> = {
  does: "The slug of the status page that it is announced on, with the names of its components that are worked on.",
  takes: "`{ SLUG: [NAME, …] }`",
  limit: "one page",
  required: () => false,
  fallback: null,
  rows: null,
  read: readAnnounced,
};

function readAnnounced(value: unknown, path: Path, reading: Reading): AnnouncedOn | null {
  const [[page, components] = ["", null], ...more] = isMapping(value) ? Object.entries(value) : [];
  if (page !== "" && more.length === 0)
    return { page, components: names.read(components, [...path, page], reading) };
  reading.report(path, "must be a mapping from the slug of one status page to a list of names");
  return null;
}

/** Planned work, by the names of the service's calls. */
export const maintenanceArguments: MaintenanceArguments = {
  title: text({
    does: "What it is called. Files know it by this.",
    limit: `${checkLimits.nameCharsMax} characters; unique among maintenances`,
  }),
  renamed_from: renamedFrom,
  message: text({
    does: "What people are to know of it.",
    limit: `${alertsLimits.maintenanceMessageCharsMax} characters`,
  }),
  from: text({
    does: "When it begins: `2026-12-01T22:00` in its time zone, or with an offset, e.g. `2026-12-01T21:00Z`.",
  }),
  to: text({ does: "When it ends, written in the same way." }),
  time_zone: text({
    does: "The zone of both, and of windows that repeat, e.g. `Europe/Berlin`.",
    fallback: "UTC",
  }),
  recurrence: text({
    does: "How it repeats, by RFC 5545, e.g. `FREQ=WEEKLY;BYDAY=SU`. Left out: once.",
    fallback: "",
  }),
  monitors: texts({ does: "Names of the monitors that are worked on.", fallback: [] }),
  locations: texts({
    does: "Names of private locations: all that they run is worked on.",
    fallback: [],
  }),
  components: announced,
  remind_subscribers: optionalFlag(
    "Whether subscribers of the status page are sent a reminder an hour before. Left out: as its form says, at first not.",
  ),
  say_times: optionalFlag(
    "Whether they are sent that it begins, and that it is over. Left out: as its form says, at first not.",
  ),
};

export type MaintenanceValues = ValuesOf<MaintenanceArguments>;
