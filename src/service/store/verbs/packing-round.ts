import type { SeriesKey } from "#service/store/packing/packed-rows";
import { seriesKeyOf } from "#service/store/packing/packed-rows";
import * as storeLimits from "#limits/store-limits";
import { integer, optionalInteger, type Row, type Sql } from "#service/store/sql";
import { lockForPacking } from "#service/store/verbs/packed-slots";

/** How far a round of packing has come: the series that is next, and from which slot on. */
export interface PackPlace extends SeriesKey {
  readonly from: number;
}
export const packFromStart: PackPlace = { monitor: 0, location: 0, from: 0 };

/** What a round packs: rows of a table, a stretch of each series at a time. */
export interface Packable {
  readonly table: "results" | "result_details";
  /** Which rows: what cannot be packed stays as it is. */
  readonly condition: string;
  /** Of a stretch; they are counted from the epoch. */
  readonly length: number;
  /** What a replica has to say that it reads. */
  readonly readers: number;
  /** How many stretches one transaction packs: results of their locations wait meanwhile. */
  readonly atOnce: number;
  readonly packOne: (sql: Sql, key: SeriesKey, stretch: number) => Promise<void>;
}

/**
 * Packs stretches of some series that ended before an instant. A transaction is a few of them, so a kill undoes those
 * alone, and what is not packed yet is read as it was. Gives where to continue; null when the round is done, or while a
 * replica of an older version works.
 */
export async function packRound(
  sql: Sql,
  what: Packable,
  before: number,
  place: PackPlace,
): Promise<PackPlace | null> {
  if (await hasOlderReplica(sql, what)) return null;
  const stretchOf = (slot: number): number => Math.floor(slot / what.length);
  const end = stretchOf(before) * what.length;
  const rows = await seriesFrom(sql, what, end, place);
  const loose = rows.filter((row) => optionalInteger(row, "oldest") !== null);
  // Each has a stretch at least.
  const some = loose.slice(0, what.atOnce);
  const locked = await lockForPacking(
    sql,
    some.map((row) => integer(row, "location")),
  );
  let packed = 0;
  for (const row of some) {
    const key = seriesKeyOf(row);
    // What is deleted is being forgotten.
    if (!locked.has(key.location)) continue;
    let slot = optionalInteger(row, "oldest");
    for (; slot !== null; packed += 1) {
      if (packed === what.atOnce) return { ...key, from: slot };
      await what.packOne(sql, key, stretchOf(slot));
      slot = await oldestLoose(sql, what, key, (stretchOf(slot) + 1) * what.length, end);
    }
  }
  const next = loose[some.length];
  if (next !== undefined) return { ...seriesKeyOf(next), from: 0 };
  const last = rows.at(-1);
  if (last === undefined || rows.length < storeLimits.packSeriesAtOnce) return null;
  const { monitor, location } = seriesKeyOf(last);
  return { monitor, location: location + 1, from: 0 };
}

/**
 * One that does not know what is packed would store again what is packed, and count it twice, or show no detail. A replica
 * that fell silent is asked about until it is forgotten.
 */
const hasOlderReplica = async (sql: Sql, { readers }: Packable): Promise<boolean> =>
  (await sql.all("SELECT holder FROM replicas WHERE packs < ? LIMIT 1", [readers])).length > 0;

/** The next series, each with its oldest slot that can be packed. */
const seriesFrom = (
  sql: Sql,
  { table, condition }: Packable,
  end: number,
  { monitor, location, from }: PackPlace,
): Promise<readonly Row[]> =>
  sql.all(
    `SELECT monitor, location, (SELECT MIN(slot) FROM ${table} AS loose
       WHERE loose.monitor = series.monitor AND loose.location = series.location AND slot < ? AND ${condition}
         AND slot >= CASE WHEN series.monitor = ? AND series.location = ? THEN CAST(? AS BIGINT) ELSE 0 END) AS oldest
     FROM series WHERE (monitor, location) >= (?, ?) ORDER BY monitor, location LIMIT ?`,
    [end, monitor, location, from, monitor, location, storeLimits.packSeriesAtOnce],
  );

async function oldestLoose(
  sql: Sql,
  { table, condition }: Packable,
  { monitor, location }: SeriesKey,
  from: number,
  end: number,
): Promise<number | null> {
  const [row] = await sql.all(
    `SELECT MIN(slot) AS slot FROM ${table}
     WHERE monitor = ? AND location = ? AND slot >= ? AND slot < ? AND ${condition}`,
    [monitor, location, from, end],
  );
  return row === undefined ? null : optionalInteger(row, "slot");
}
