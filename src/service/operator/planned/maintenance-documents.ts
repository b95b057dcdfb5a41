import { isoTime } from "#web/page/format";
import { isSkipped } from "#service/alerting/maintenance";
import { skippedTimes } from "#service/operator/planned/skipped-times";
import { nextWindow } from "#service/operator/planned/work-under-way";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/** Planned work for programs. Names are only ever added. */
export function maintenanceSection(row: MaintenanceRow, at: EpochMillis): object {
  const window = nextWindow(row, at);
  return {
    id: String(row.id),
    title: row.title,
    message: row.message,
    from: isoTime(row.from),
    to: isoTime(row.to),
    next_from: window === null ? null : isoTime(window.from),
    next_to: window === null ? null : isoTime(window.to),
    recurrence: row.recurrence,
    time_zone: row.timeZone,
    skipped: skippedTimes(row, at).map(({ from, to }) => ({
      from: isoTime(from),
      to: isoTime(to),
    })),
    moved_ends: row.movedEnds
      .filter((one) => !isSkipped(one))
      .map(({ from, planned, to, begins }) => ({
        from: isoTime(from),
        ...(begins === undefined ? {} : { began: isoTime(begins) }),
        planned_to: isoTime(planned),
        to: isoTime(to),
      })),
    monitors: row.monitors.map(String),
    locations: row.locations.map(String),
  };
}
