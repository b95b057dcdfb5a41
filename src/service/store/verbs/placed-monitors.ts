import { type Subject, subjects } from "#service/store/audit/audited";
import { channelId, locationId, type MonitorId } from "#service/store/ids";
import type { MonitorPlaces } from "#service/store/monitor-change";
import { allAmong, insertRows, integer, type Row, type Sql } from "#service/store/sql";

/** Says where a monitor runs and which channels get its incidents; every other one is taken away. Those that were deleted meanwhile are left out. */
export async function place(
  sql: Sql,
  id: MonitorId,
  { locations, channels }: MonitorPlaces,
): Promise<void> {
  await replace(sql, { table: "assignments", of: "location", among: "locations" }, id, locations);
  await replace(sql, { table: "channel_monitors", of: "channel", among: "channels" }, id, channels);
}

/** Where it runs now and where it will, and which channels get it: its places are a part of those. */
export async function placedAt(
  sql: Sql,
  id: MonitorId,
  { locations, channels }: MonitorPlaces,
): Promise<readonly Subject[]> {
  const at = await sql.all("SELECT location AS id FROM assignments WHERE monitor = ?", [id]);
  const by = await sql.all("SELECT channel AS id FROM channel_monitors WHERE monitor = ?", [id]);
  const merged = (rows: readonly Row[], wanted: readonly number[]): readonly number[] => [
    ...new Set([...rows.map((row) => integer(row, "id")), ...wanted]),
  ];
  return placesOf({
    locations: merged(at, locations).map(locationId),
    channels: merged(by, channels).map(channelId),
  });
}

/** A monitor's places are a part of these. */
export const placesOf = ({ locations, channels }: MonitorPlaces): readonly Subject[] => [
  ...subjects("location", locations),
  ...subjects("channel", channels),
];

interface Pairs {
  readonly table: "assignments" | "channel_monitors";
  readonly of: "location" | "channel";
  readonly among: "locations" | "channels";
}

async function replace(
  sql: Sql,
  { table, of, among }: Pairs,
  id: MonitorId,
  wanted: readonly number[],
): Promise<void> {
  const there = await allAmong(sql, `SELECT id FROM ${among} WHERE id IN (*)`, [], wanted);
  await sql.run(`DELETE FROM ${table} WHERE monitor = ?`, [id]);
  await insertRows(
    sql,
    `INSERT INTO ${table} (${of}, monitor)`,
    there.map((row) => [integer(row, "id"), id]),
    "ON CONFLICT DO NOTHING",
  );
}

const squared = (number: string): string => `(${number} * ${number}) % 1000000007`;

/**
 * A location's part of a mark, below a prime so that no product is too large for 64 bits. A power, because parts that grow
 * evenly with the ids have the same sum for locations 1 and 4 as for 2 and 3.
 */
const locationMark = squared(
  `(${squared(`(${squared("(location * 2654435761 % 1000000007)")})`)})`,
);

/** Of each monitor its id, its revision, and a number that is another, but for a chance in a thousand million, for other locations. */
export async function marksOfAll(sql: Sql): Promise<Float64Array> {
  const rows = await sql.all(
    `SELECT monitors.id, monitors.revision, COALESCE(placed.mark, 0) AS mark FROM monitors
       LEFT JOIN (SELECT monitor, SUM(${locationMark}) AS mark FROM assignments GROUP BY monitor)
         AS placed ON placed.monitor = monitors.id
     ORDER BY monitors.id`,
  );
  const marks = new Float64Array(rows.length * 3);
  rows.forEach((row, index) => {
    marks[index * 3] = integer(row, "id");
    marks[index * 3 + 1] = integer(row, "revision");
    marks[index * 3 + 2] = integer(row, "mark");
  });
  return marks;
}
