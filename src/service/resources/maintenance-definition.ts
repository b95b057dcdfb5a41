import type { EpochMillis } from "#base/units";
import { byName, type NamesOf } from "#check/field-names";

/** What a person says of planned work, in files and in calls; what it is about is apart. */
export interface MaintenanceDefinition {
  readonly title: string;
  readonly message: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** RRULE; empty: once. */
  readonly recurrence: string;
  readonly timeZone: string;
}

const maintenanceFieldNames = {
  title: "title",
  message: "message",
  from: "from",
  to: "to",
  recurrence: "recurrence",
  timeZone: "time_zone",
} as const;
export type MaintenanceFieldName = NamesOf<MaintenanceDefinition, typeof maintenanceFieldNames>;

export const namedMaintenance = (
  maintenance: Readonly<Record<keyof MaintenanceDefinition, unknown>>,
): Readonly<Record<MaintenanceFieldName, unknown>> => byName(maintenance, maintenanceFieldNames);
