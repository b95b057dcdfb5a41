import type { Evidence, Turn } from "#service/store/alert-store";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, integer, optionalInstant, type Sql, type SqlValue } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf } from "#service/store/verb";
import { statusNumber } from "#service/store/verbs/result-rows";
import { epochMillis, type EpochMillis } from "#base/units";

/** What results say about incidents. Each question finds its rows by the key of results, and looks back a day at most. */
export const evidence: VerbsOf<Evidence> = {
  turns: reads("evidence.turns", async (sql, monitor: MonitorId) => {
    const assigned = new Set(await locationsOf(sql, monitor));
    const rows = await sql.all(
      "SELECT location, seen_slot, seen_status, seen_since FROM series WHERE monitor = ? AND seen_slot IS NOT NULL",
      [monitor],
    );
    const turns: Turn[] = [];
    for (const row of rows) {
      if (!assigned.has(integer(row, "location"))) continue;
      const series = [monitor, integer(row, "location")] as const;
      const slot = integer(row, "seen_slot");
      const isGood = integer(row, "seen_status") === good;
      const since = (await turnOf(sql, series, slot, isGood)) ?? integer(row, "seen_since");
      turns.push({
        location: locationId(integer(row, "location")),
        troubleSince: isGood ? null : epochMillis(since),
        wellSince: isGood ? epochMillis(since) : null,
        lastGoodAt: await lastGood(sql, series, slot),
      });
    }
    return turns;
  }),
  failedChecks: reads(
    "evidence.failedChecks",
    async (sql, monitor: MonitorId, from: EpochMillis, to: EpochMillis) => {
      const rows = await allAmong(
        sql,
        `SELECT COUNT(slot) AS count FROM results
         WHERE monitor = ? AND slot >= ? AND slot <= ? AND status <> ? AND ${blamesTarget} AND location IN (*)`,
        [monitor, from, to, good],
        await locationsOf(sql, monitor),
      );
      return rows.reduce((sum, row) => sum + integer(row, "count"), 0);
    },
  ),
  replay: reads(
    "evidence.replay",
    async (sql, location: LocationId, from: EpochMillis, to: EpochMillis) => {
      const assigned = await sql.all(
        "SELECT monitor FROM assignments WHERE location = ? ORDER BY monitor",
        [location],
      );
      const rows = await allAmong(
        sql,
        `SELECT monitor, COUNT(slot) AS count,
           MIN(CASE WHEN status = ? AND ${blamesTarget} THEN slot END) AS failed_from,
           MAX(CASE WHEN status = ? AND ${blamesTarget} THEN slot END) AS failed_to
         FROM results WHERE location = ? AND slot > ? AND slot < ? AND monitor IN (*) GROUP BY monitor`,
        [statusNumber("error"), statusNumber("error"), location, from, to],
        assigned.map((row) => integer(row, "monitor")),
      );
      const inOrder = rows.toSorted((a, b) => integer(a, "monitor") - integer(b, "monitor"));
      return inOrder.map((row) => {
        const [first, last] = [
          optionalInstant(row, "failed_from"),
          optionalInstant(row, "failed_to"),
        ];
        return {
          monitor: monitorId(integer(row, "monitor")),
          results: integer(row, "count"),
          failed: first === null || last === null ? null : { from: first, to: last },
        };
      });
    },
  ),
};

async function locationsOf(sql: Sql, monitor: MonitorId): Promise<readonly number[]> {
  const rows = await sql.all("SELECT location FROM assignments WHERE monitor = ?", [monitor]);
  return rows.map((row) => integer(row, "location"));
}

const good = statusNumber("success");
/** Faults of configuration, policy and agent say nothing of the target, and none does while the location is broken. */
const blamesTarget = `failure NOT IN
  (SELECT id FROM failures WHERE word LIKE '% config' OR word LIKE '% policy' OR word LIKE '% agent')
  AND NOT EXISTS (SELECT 1 FROM gaps WHERE gaps.monitor = results.monitor AND gaps.location = results.location
    AND gaps.slot <= results.slot AND gaps.last_slot >= results.slot)`;

type Series = readonly [monitor: number, location: number];

/** The start of the first check after which all were as the newest is; null when that began before what is looked at. */
async function turnOf(
  sql: Sql,
  series: Series,
  slot: number,
  isGood: boolean,
): Promise<number | null> {
  const own = `monitor = ? AND location = ? AND slot <= ? AND slot >= ? AND ${blamesTarget}`;
  const values: readonly SqlValue[] = [...series, slot, slot - storeLimits.turnLookedBack];
  const [other] = await sql.all(
    `SELECT slot FROM results WHERE ${own} AND status ${isGood ? "<>" : "="} ? ORDER BY slot DESC LIMIT 1`,
    [...values, good],
  );
  const [first] = await sql.all(
    `SELECT slot, started FROM results WHERE ${own} AND slot > ? ORDER BY slot LIMIT 1`,
    [...values, other === undefined ? 0 : integer(other, "slot")],
  );
  return first === undefined ? null : integer(first, "slot") + integer(first, "started");
}

async function lastGood(sql: Sql, series: Series, slot: number): Promise<EpochMillis | null> {
  const [row] = await sql.all(
    `SELECT slot, started FROM results WHERE monitor = ? AND location = ? AND slot <= ? AND slot >= ? AND status = ?
     ORDER BY slot DESC LIMIT 1`,
    [...series, slot, slot - storeLimits.turnLookedBack, good],
  );
  return row === undefined ? null : epochMillis(integer(row, "slot") + integer(row, "started"));
}
