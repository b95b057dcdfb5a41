import type { SeriesKey } from "#service/store/packing/packed-rows";
import type { ResultRow } from "#service/store/packing/result-row";
import { type Walk, walkResults } from "#service/store/packing/result-walk";
import { integer, type Sql } from "#service/store/sql";

/**
 * Whether a result says something of its target. Faults of configuration, policy and agent do not, and none does while the
 * location is broken.
 */
type IsTelling = (row: Pick<ResultRow, "slot" | "failure">) => boolean;

/** The numbers of failures that no target is to blame for. */
export const blamelessFailures =
  "SELECT id FROM failures WHERE word LIKE '% config' OR word LIKE '% policy' OR word LIKE '% agent'";

/** Of one series, in a range of slots. */
export async function tellingIn(
  sql: Sql,
  { monitor, location }: SeriesKey,
  { from, to }: Pick<Walk, "from" | "to">,
): Promise<IsTelling> {
  const blameless = new Set((await sql.all(blamelessFailures)).map((row) => integer(row, "id")));
  const rows = await sql.all(
    "SELECT slot, last_slot FROM gaps WHERE monitor = ? AND location = ? AND slot < ? AND last_slot >= ?",
    [monitor, location, to, from],
  );
  const gaps = rows.map((row) => ({
    first: integer(row, "slot"),
    last: integer(row, "last_slot"),
  }));
  return ({ slot, failure }) =>
    !blameless.has(failure) && !gaps.some(({ first, last }) => first <= slot && last >= slot);
}

/** Those of a walk that say something of their target. */
export async function* tellingResults(
  sql: Sql,
  series: SeriesKey,
  walk: Walk,
): AsyncGenerator<readonly ResultRow[], void, undefined> {
  const isTelling = await tellingIn(sql, series, walk);
  for await (const rows of walkResults(sql, series, walk)) yield rows.filter(isTelling);
}
