import type { ReportRow } from "#service/operator/reports/uptime-report";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** One day (UTC) on which a monitor of the report was down. */
export interface DowntimeDay {
  readonly begin: EpochMillis;
  /** Of all monitors together: of several at once it may be more than a day. */
  readonly down: Millis;
  /** The names of those that were down, the longest first. */
  readonly names: readonly string[];
}

/** The days of the report with downtime, oldest first. Their sum is the time down of all monitors. */
export function downtimeDays(
  rows: readonly Pick<ReportRow, "name" | "downDays">[],
): readonly DowntimeDay[] {
  const found = rows.flatMap(({ name, downDays }) => downDays.map((day) => ({ name, ...day })));
  const days = Map.groupBy(found, ({ begin }) => begin);
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([begin, own]) => ({
      begin,
      down: millis(own.reduce((sum, { down }) => sum + down, 0)),
      names: own.toSorted((a, b) => b.down - a.down).map(({ name }) => name),
    }));
}
