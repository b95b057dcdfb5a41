import { dayColumns, type DayTable } from "#service/store/day-table";
import { integer, type Row } from "#service/store/sql";
import type { ListedDays } from "#service/store/verbs/days/listed-days";

/** What counts of a day that has downtime, or is longer than a day. */
interface CountedDay {
  readonly begin: number;
  readonly known: number;
  readonly down: number;
}

interface TableRows {
  readonly listed: readonly ListedDays[];
  /** Days that have not ended. */
  readonly open: readonly Row[];
  /** Of each monitor that has some. */
  readonly counted: ReadonlyMap<number, readonly CountedDay[]>;
}

const width = dayColumns.length;

/** Of a hundred thousand days, no object is made for each. */
export function filledTable({ listed, open, counted }: TableRows): DayTable {
  const rooms = listed.reduce((sum, { lists }) => sum + lists.monitor.length, open.length);
  const table = new Float64Array(rooms * width);
  let at = 0;
  for (const { lists, wanted } of listed)
    for (let index = 0; index < lists.monitor.length; index += 1) {
      const monitor = lists.monitor[index] ?? 0;
      if (!wanted.has(monitor)) continue;
      table[at] = monitor;
      table[at + 1] = lists.begin[index] ?? 0;
      table[at + 2] = lists.known[index] ?? 0;
      table[at + 4] = lists.checks[index] ?? 0;
      table[at + 5] = lists.slow[index] ?? 0;
      table[at + 6] = lists.errors[index] ?? 0;
      at += width;
    }
  for (const row of open) {
    dayColumns.forEach((column, offset) => {
      table[at + offset] = column === "down" ? 0 : integer(row, column);
    });
    at += width;
  }
  const filled = inOrder(table.slice(0, at));
  for (let place = 0; place < filled.length; place += width) {
    const begin = filled[place + 1];
    const day = counted.get(filled[place] ?? 0)?.find((one) => one.begin === begin);
    if (day === undefined) continue;
    filled[place + 2] = day.known;
    filled[place + 3] = day.down;
  }
  return filled;
}

/** Days as they come lie in order, unless they are of several questions. */
function inOrder(table: DayTable): DayTable {
  const order = (a: number, b: number): number =>
    (table[a + 1] ?? 0) - (table[b + 1] ?? 0) || (table[a] ?? 0) - (table[b] ?? 0);
  const places = Array.from({ length: table.length / width }, (_, row) => row * width);
  if (places.every((place) => place === 0 || order(place - width, place) < 0)) return table;
  const sorted = new Float64Array(table.length);
  places
    .toSorted(order)
    .forEach((place, row) => sorted.set(table.subarray(place, place + width), row * width));
  return sorted;
}
