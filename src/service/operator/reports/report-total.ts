import type { TimeAndBefore } from "#service/operator/reports/uptime-change";
import type { ReportRow } from "#service/operator/reports/uptime-report";
import { type Millis, millis } from "#base/units";

/** All monitors of the report together. */
export function reportTotal(
  rows: readonly ReportRow[],
): TimeAndBefore & Pick<ReportRow, "incidents"> {
  const sum = (of: (row: ReportRow) => number): Millis =>
    millis(rows.reduce((all, row) => all + of(row), 0));
  return {
    known: sum((row) => row.known),
    down: sum((row) => row.down),
    before: { known: sum((row) => row.before.known), down: sum((row) => row.before.down) },
    incidents: sum((row) => row.incidents),
  };
}
