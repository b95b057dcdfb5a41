import * as storeLimits from "#limits/store-limits";
import type { Millis } from "#base/units";
import { HistogramSum } from "#service/store/histogram";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery } from "#service/store/result-store";
import { blob, numbersIn, type Row, type Sql } from "#service/store/sql";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { whatIsThere } from "#service/store/verbs/what-is-there";

/** Histograms are added up where they are read: to hand over those of a thousand monitors took longer than all else. */
export async function medians(sql: Sql, asked: DaysQuery): Promise<ReadonlyMap<MonitorId, Millis>> {
  const named = asked.monitors.slice(0, storeLimits.monitorsNamedMax);
  const there = await whatIsThere(sql, named);
  if (there.monitors.length === 0) return new Map();
  const isFew = named.length <= storeLimits.daysLookedUpMax;
  const read = isFew ? histogramsOf : histogramsAmong;
  const sums = new Map(there.monitors.map((monitor) => [monitor, new HistogramSum()] as const));
  for (const row of await read(sql, { ...asked, ...there })) addRow(sums, row);
  return new Map(
    [...sums].flatMap(([monitor, sum]): [MonitorId, Millis][] => {
      const median = sum.quantile(0.5);
      return median === null ? [] : [[monitor, median]];
    }),
  );
}

function addRow(sums: ReadonlyMap<MonitorId, HistogramSum>, row: Row): void {
  const monitors = numbersIn(row, "monitors");
  const lengths = numbersIn(row, "lengths");
  const histograms = blob(row, "histograms");
  let from = 0;
  monitors.forEach((monitor, index) => {
    const to = from + (lengths[index] ?? 0);
    sums.get(monitorId(monitor))?.add(histograms, from, to);
    from = to;
  });
}

/** Histograms as they lie, of many monitors in one row: to sort them by monitor took as long again as to read them. */
const joinedHistograms = ({ words }: Sql): string =>
  `SELECT ${words.list("monitor")} AS monitors, ${words.list("LENGTH(latencies)")} AS lengths,
     ${words.joinedBytes("latencies")} AS histograms FROM ${rollupTables.day}`;

interface DaysThere extends DaysQuery {
  readonly condition: string;
}

/** Of a few: the others of a large service are not read. */
const histogramsOf = (
  sql: Sql,
  { monitors, condition, from, to }: DaysThere,
): Promise<readonly Row[]> =>
  rowsOfBuckets(
    sql,
    { grain: "day", monitors, from, to },
    { select: joinedHistograms(sql), rest: ` AND ${condition}`, isJoined: true },
  );

/** Of many: a range of the key as it lies, and a row a day. */
const histogramsAmong = (
  sql: Sql,
  { monitors, condition, from, to }: DaysThere,
): Promise<readonly Row[]> =>
  sql.all(
    `${joinedHistograms(sql)} WHERE bucket >= ? AND bucket < ? AND monitor >= ? AND monitor <= ? AND ${condition}
     GROUP BY bucket`,
    [from, to, Math.min(...monitors), Math.max(...monitors)],
  );
