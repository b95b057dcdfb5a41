import { unaudited } from "#service/store/audit/audited";
import { detailRowOf, detailsInRow, detailSpan } from "#service/store/packing/detail-rows";
import { packDetails } from "#service/store/packing/packed-details";
import type { SeriesKey } from "#service/store/packing/packed-rows";
import { packsDetails } from "#service/store/packing/packed-tables";
import * as storeLimits from "#limits/store-limits";
import { integer, type Sql } from "#service/store/sql";
import { type Verb, writes } from "#service/store/verb";
import { type Packable, type PackPlace, packRound } from "#service/store/verbs/packing-round";

/** Packs details of results: those of a series in eight hours become one row. Large ones stay as they are. */
export const packAllDetails: Verb<[before: number, place: PackPlace], PackPlace | null> = writes(
  "results.packDetails",
  null,
  unaudited("the service packs what it keeps"),
  (sql, before, place) => packRound(sql, spansOfDetails, before, place),
);

const isSmall = `length(payload) <= ${storeLimits.packedDetailBytesMax}`;

const spansOfDetails: Packable = {
  table: "result_details",
  condition: isSmall,
  length: detailSpan,
  readers: packsDetails,
  atOnce: storeLimits.packSpansAtOnce,
  packOne,
};

/** What is too much stays as it is, beside a row that cannot be read too. */
async function packOne(sql: Sql, { monitor, location }: SeriesKey, span: number): Promise<void> {
  const key = [monitor, location, span];
  const own = `monitor = ? AND location = ? AND slot >= ? AND slot < ? AND ${isSmall}`;
  const range = [monitor, location, span * detailSpan, (span + 1) * detailSpan];
  const [size] = await sql.all(
    `SELECT COUNT(*) AS count, SUM(length(payload)) AS bytes FROM result_details WHERE ${own}`,
    range,
  );
  const unpacked = integer(size, "count");
  if (unpacked > storeLimits.packedDetailsMax) return;
  if (integer(size, "bytes") > storeLimits.packedDetailsBytesMax) return;
  if (sql.oversized.has({ monitor, location }, span, unpacked)) return;
  const [row] = await sql.all(
    "SELECT * FROM packed_details WHERE monitor = ? AND location = ? AND span = ?",
    key,
  );
  const before = row === undefined ? [] : detailsInRow(sql, row);
  if (before === null) return;
  const rows = await sql.all(
    `SELECT slot, message, payload FROM result_details WHERE ${own}`,
    range,
  );
  // Of two that a result has, the first counts, as it does in rows.
  const bySlot = new Map([...rows.map(detailRowOf), ...before].map((one) => [one.slot, one]));
  const ordered = [...bySlot.values()].toSorted((a, b) => a.slot - b.slot);
  const body = packDetails(span * detailSpan, ordered);
  if (body === null) return sql.oversized.add({ monitor, location }, span, rows.length);
  await sql.run(
    `INSERT INTO packed_details (monitor, location, span, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (monitor, location, span) DO UPDATE SET body = excluded.body`,
    [...key, body],
  );
  const deleted = await sql.run(`DELETE FROM result_details WHERE ${own}`, range);
  if (deleted !== rows.length)
    throw new Error("details were deleted while they were packed: they are packed the next time");
}
