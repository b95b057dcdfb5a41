import type { Day } from "#web/page/chart/calendar";
import { dayColumns, type DayTable } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import { epochMillis, millis } from "#base/units";

/** The days of each monitor, all of its locations together. */
export function addDays(days: Map<MonitorId, Day[]>, table: DayTable): void {
  for (let at = 0; at < table.length; at += dayColumns.length)
    days.getOrInsertComputed(monitorId(table[at] ?? 0), () => []).push(dayAt(table, at));
}

/** Of a hundred thousand rows: each number is taken by its place, in the order of the columns. */
function dayAt(table: DayTable, at: number): Day {
  return {
    begin: epochMillis(table[at + 1] ?? 0),
    known: millis(table[at + 2] ?? 0),
    down: millis(table[at + 3] ?? 0),
    checks: table[at + 4] ?? 0,
    slow: table[at + 5] ?? 0,
  };
}

/** Whether two lists say the same, number by number: for a hundred thousand days, a comparison of any values is slow. */
export const sameDays = (some: readonly Day[], others: readonly Day[]): boolean =>
  some === others ||
  (some.length === others.length && some.every((day, index) => isSame(day, others[index])));

const isSame = (day: Day, other: Day | undefined): boolean =>
  other !== undefined &&
  day.begin === other.begin &&
  day.known === other.known &&
  day.down === other.down &&
  day.checks === other.checks &&
  day.slow === other.slow;
