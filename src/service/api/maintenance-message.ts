import type { MaintenanceSummarySchema } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { isSkipped } from "#service/alerting/maintenance";
import { absent, type Refusal } from "#service/edge/call-refusal";
import { timeText } from "#service/monitors/shown-monitor";
import type { MaintenanceFieldName } from "#service/resources/maintenance-definition";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";
import type { MessageWith } from "#wire/message-with";

/** A maintenance as calls show it. */
export const maintenanceMessage = (
  row: MaintenanceRow,
): MessageWith<typeof MaintenanceSummarySchema, MaintenanceFieldName> => ({
  id: String(row.id),
  title: row.title,
  message: row.message,
  from: timeText(row.from),
  to: timeText(row.to),
  pageId: row.page,
  pageComponentIds: [...row.components],
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
  monitorIds: row.monitors.map(String),
  privateLocationIds: row.locations.map(String),
  recurrence: row.recurrence,
  timeZone: row.timeZone,
  remindSubscribers: row.says.reminder,
  sayTimes: row.says.times,
  skippedDates: row.movedEnds.filter(isSkipped).map(({ from }) => dayIn(from, row.timeZone)),
});

const dayIn = (instant: EpochMillis, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate().toString();

export const noMaintenance = (id: string): Refusal =>
  absent("maintenance", id, { reason: "MAINTENANCE_NOT_FOUND" });
