import { type Day, dayLength } from "#web/page/chart/calendar";
import * as limits from "#limits/pages-limits";
import { dayColumns, type DayTable } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery, ResultStore } from "#service/store/result-store";
import { after, epochMillis, millis } from "#base/units";

/**
 * The days of each monitor that has some, all of its locations together, oldest first. They are read a portion after the
 * other, so that others' questions come between.
 */
export async function daysBetween(
  results: Pick<ResultStore, "days">,
  { monitors, from, to }: DaysQuery,
): Promise<ReadonlyMap<MonitorId, readonly Day[]>> {
  const days = new Map<MonitorId, Day[]>();
  if (monitors.length === 0) return days;
  const daysAtOnce = Math.max(1, Math.floor(limits.daysPicturedAtOnce / monitors.length));
  const length = millis(daysAtOnce * dayLength);
  for (let begin = from; begin < to; begin = after(begin, length)) {
    const end = epochMillis(Math.min(to, begin + length));
    addDays(days, await results.days({ monitors, from: begin, to: end }));
  }
  return days;
}

function addDays(days: Map<MonitorId, Day[]>, table: DayTable): void {
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
