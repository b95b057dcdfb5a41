import { type Window, windowOnDayOf } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { epochMillis } from "#base/units";

/** The time of what repeats that begins on a day, e.g. `2026-12-24`, by the clock of its zone, as it is planned; null if none does. */
export function windowOn(row: MaintenanceRow, day: string): Window | null {
  const [plan] = maintenanceOf(row);
  const date = dateIn(day);
  if (plan === undefined || date === null) return null;
  const begin = epochMillis(date.toZonedDateTime(row.timeZone).epochMilliseconds);
  return windowOnDayOf(begin, row.timeZone, plan);
}

function dateIn(day: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  try {
    return Temporal.PlainDate.from(day);
  } catch {
    return null;
  }
}
