import type { Share } from "#service/store/share";
import { hourOf, slotsInRow } from "#service/store/packing/packed-rows";
import { allAmong, integer, type Row, type Sql } from "#service/store/sql";

/**
 * Two replicas that take results of one location go one after the other: rollups are read, added to and written. On a
 * cluster those of different workers go side by side, and none waits for a worker that is away. Gives the instant up to
 * which hours of the location may be packed: a result that is older is looked for there.
 */
export async function lockSeries(
  sql: Sql,
  location: number,
  lanes: Share["lanes"],
): Promise<number> {
  const select = "SELECT packed_until FROM locations WHERE id = ?";
  if (lanes === null) {
    const [row] = await sql.all(`${select}${sql.words.forUpdate}`, [location]);
    return integer(row, "packed_until");
  }
  const [row] = await sql.all(`${select} FOR KEY SHARE`, [location]);
  const locks = lanes.map((lane) => `pg_advisory_xact_lock(${location}, ${lane})`);
  await sql.all(`SELECT ${locks.join(", ")}`);
  return integer(row, "packed_until");
}

/**
 * Nothing of the locations is stored until this transaction ends, in whatever way. They are locked in one order for all,
 * as whoever changes monitors has them. Gives those that are there.
 */
export async function lockForPacking(
  sql: Sql,
  locations: readonly number[],
): Promise<ReadonlySet<number>> {
  const select = `SELECT id FROM locations WHERE id IN (*) ORDER BY id${sql.words.forUpdateAlone}`;
  const ordered = locations.toSorted((a, b) => a - b);
  return new Set((await allAmong(sql, select, [], ordered)).map((row) => integer(row, "id")));
}

interface Place {
  readonly monitor: number;
  readonly slot: number;
}

/** Which of these results of one location are in packed hours already. */
export async function packedAmong<P extends Place>(
  sql: Sql,
  location: number,
  late: readonly P[],
): Promise<ReadonlySet<P>> {
  const found = new Set<P>();
  if (late.length === 0) return found;
  const byHour = Map.groupBy(late, keyOf);
  for (const row of await rowsOf(sql, location, late)) {
    const own = byHour.get(`${integer(row, "monitor")} ${integer(row, "hour")}`) ?? [];
    const slots = new Set(slotsInRow(sql, row));
    for (const one of own) if (slots.has(one.slot)) found.add(one);
  }
  return found;
}

const keyOf = ({ monitor, slot }: Place): string => `${monitor} ${hourOf(slot)}`;

/** A batch after an outage has a few hours of many monitors, or many hours of one: by whichever are fewer. */
async function rowsOf(sql: Sql, location: number, late: readonly Place[]): Promise<readonly Row[]> {
  const hours = Map.groupBy(late, ({ slot }) => hourOf(slot));
  const monitors = Map.groupBy(late, ({ monitor }) => monitor);
  const rows: Row[] = [];
  const select = "SELECT * FROM packed_results WHERE location = ? AND";
  if (hours.size < monitors.size)
    for (const [hour, own] of hours) {
      const named = own.map(({ monitor }) => monitor);
      const text = `${select} hour = ? AND monitor IN (*)`;
      rows.push(...(await allAmong(sql, text, [location, hour], named)));
    }
  else
    for (const [monitor, own] of monitors) {
      const named = own.map(({ slot }) => hourOf(slot));
      const text = `${select} monitor = ? AND hour IN (*)`;
      rows.push(...(await allAmong(sql, text, [location, monitor], named)));
    }
  return rows;
}
