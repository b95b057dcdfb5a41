import {
  hourLength,
  hourOf,
  resultsInRow,
  type SeriesKey,
} from "#service/store/packing/packed-rows";
import { type ResultRow, resultRowColumns, resultRowOf } from "#service/store/packing/result-row";
import { integer, type Row, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";

/** Which results of a series are walked through: slots of `from` (included) to `to`. */
export interface Walk {
  readonly from: number;
  readonly to: number;
  readonly order: "oldest first" | "newest first";
  /** About as many as are wanted, which decides how many are read at once. */
  readonly wanted: number;
}

/**
 * The results of a series in the order of their slots, portion by portion, whether they are packed or not. A reader sees
 * no difference: what has come late into a packed hour has its place in it.
 */
export async function* walkResults(
  sql: Sql,
  key: SeriesKey,
  { from, to, order, wanted }: Walk,
): AsyncGenerator<readonly ResultRow[], void, undefined> {
  const looseAtOnce = Math.min(Math.max(wanted, 1), storeLimits.resultsWalkedAtOnce);
  let hoursAtOnce = Math.min(Math.ceil(wanted / 100) + 1, storeLimits.hoursUnpackedAtOnce);
  let [least, most] = [from, to];
  while (least < most) {
    const range = { least, most, order };
    // In this order, so that what is packed in between is found twice rather than not at all.
    const loose = await looseRows(sql, key, range, looseAtOnce);
    const packed = await packedRows(sql, key, range, hoursAtOnce);
    const reached = reachedBy(range, {
      slot: loose.length < looseAtOnce ? null : (loose.at(-1)?.slot ?? null),
      hour: packed.length < hoursAtOnce ? null : integer(packed.at(-1), "hour"),
    });
    if (order === "oldest first") least = reached;
    else most = reached;
    const [first, end] = order === "oldest first" ? [range.least, least] : [most, range.most];
    yield merged(
      [...loose, ...packed.flatMap((row) => resultsInRow(sql, row) ?? [])],
      order,
    ).filter(({ slot }) => slot >= first && slot < end);
    hoursAtOnce = Math.min(hoursAtOnce * 2, storeLimits.hoursUnpackedAtOnce);
  }
}

/** The first so many of them. */
export async function firstOf(
  portions: AsyncIterable<readonly ResultRow[]>,
  count: number,
): Promise<readonly ResultRow[]> {
  const found: ResultRow[] = [];
  if (count <= 0) return found;
  for await (const portion of portions) {
    found.push(...portion);
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

interface Range extends Pick<Walk, "order"> {
  readonly least: number;
  readonly most: number;
}

/** Up to where both have been read; null is all of it. */
function reachedBy(
  { least, most, order }: Range,
  { slot, hour }: { readonly slot: number | null; readonly hour: number | null },
): number {
  return order === "oldest first"
    ? Math.min(
        most,
        slot === null ? most : slot + 1,
        hour === null ? most : (hour + 1) * hourLength,
      )
    : Math.max(least, slot ?? least, hour === null ? least : hour * hourLength);
}

async function looseRows(
  sql: Sql,
  { monitor, location }: SeriesKey,
  { least, most, order }: Range,
  count: number,
): Promise<readonly ResultRow[]> {
  const rows = await sql.all(
    `SELECT ${resultRowColumns} FROM results
     WHERE monitor = ? AND location = ? AND slot >= ? AND slot < ?
     ORDER BY slot ${order === "oldest first" ? "ASC" : "DESC"} LIMIT ?`,
    [monitor, location, least, most, count],
  );
  return rows.map(resultRowOf);
}

const packedRows = (
  sql: Sql,
  { monitor, location }: SeriesKey,
  { least, most, order }: Range,
  count: number,
): Promise<readonly Row[]> =>
  sql.all(
    `SELECT * FROM packed_results WHERE monitor = ? AND location = ? AND hour >= ? AND hour <= ?
     ORDER BY hour ${order === "oldest first" ? "ASC" : "DESC"} LIMIT ?`,
    [monitor, location, hourOf(least), hourOf(most - 1), count],
  );

/** In order, and each slot once. */
export function merged(rows: readonly ResultRow[], order: Walk["order"]): readonly ResultRow[] {
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  const sign = order === "oldest first" ? 1 : -1;
  return [...bySlot.values()].toSorted((a, b) => sign * (a.slot - b.slot));
}
