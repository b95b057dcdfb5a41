import type { CheckedQuery, CheckedTimes, Evidence, Turn } from "#service/store/evidence-store";
import { type LocationId, locationId, type MonitorId } from "#service/store/ids";
import type { SeriesKey } from "#service/store/packing/packed-rows";
import type { ResultRow } from "#service/store/packing/result-row";
import { type Walk, walkResults } from "#service/store/packing/result-walk";
import {
  addCheck,
  type SeenAs,
  type SeenStretch,
  seenTimes,
} from "#service/store/verbs/downtime/seen-times";
import { integer, type Sql } from "#service/store/sql";
import { timeoutMax } from "#limits/check-limits";
import { standingOfCheck } from "#service/store/rollup";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf } from "#service/store/verb";
import { replayOf } from "#service/store/verbs/replayed-results";
import { checkTimes, statusNumber } from "#service/store/verbs/result-rows";
import { tellingResults } from "#service/store/verbs/telling-results";
import { after, between, epochMillis, type EpochMillis, millis } from "#base/units";

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
      const series = { monitor, location: integer(row, "location") };
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
  checked: reads("evidence.checked", checkedIn),
  replay: reads(
    "evidence.replay",
    (sql, location: LocationId, from: EpochMillis, to: EpochMillis) =>
      replayOf(sql, location, { from: after(from, millis(1)), to }),
  ),
};

async function checkedIn(
  sql: Sql,
  { monitor, from, to, period }: CheckedQuery,
): Promise<CheckedTimes> {
  const places: SeenStretch[][] = [];
  let [failed, slow] = [0, 0];
  for (const location of await locationsOf(sql, monitor)) {
    const stretches: SeenStretch[] = [];
    // What was seen as it began, which may have run for long; and its first check starts later than the check's slot.
    const since = from - 2 * period - timeoutMax - storeLimits.startedAfterSlotMax;
    const walk = { from: since, to: to + 1, order: "oldest first", wanted } as const;
    for await (const rows of tellingResults(sql, { monitor, location }, walk))
      for (const row of rows) {
        const startedAt = startOf(row);
        const as = seenAs(row);
        const { from: stood, until } = standingOfCheck(checkTimes(row, period));
        addCheck(stretches, { startedAt, as, stands: between(stood, until) }, period);
        if (startedAt < from) continue;
        if (as === "failed") failed += 1;
        if (as === "slow") slow += 1;
      }
    places.push(stretches);
  }
  return { failed, slow, times: seenTimes(places, { from, to }, period) };
}

const seenAs = ({ status }: ResultRow): SeenAs => {
  if (status === good) return "good";
  return status === statusNumber("error") ? "failed" : "slow";
};

async function locationsOf(sql: Sql, monitor: MonitorId): Promise<readonly number[]> {
  const rows = await sql.all("SELECT location FROM assignments WHERE monitor = ?", [monitor]);
  return rows.map((row) => integer(row, "location"));
}

const good = statusNumber("success");
/** As many as a day has at most of them are walked in a few portions. */
const wanted = storeLimits.resultsLookedAtFirst;

type WalkRange = Omit<Walk, "wanted">;

/** The start of the first check after which all were as the newest is; null when that began before what is looked at. */
async function turnOf(
  sql: Sql,
  series: SeriesKey,
  slot: number,
  isGood: boolean,
): Promise<number | null> {
  let first: ResultRow | null = null;
  for await (const rows of tellingResults(sql, series, { ...dayBefore(slot), wanted }))
    for (const row of rows) {
      if ((row.status === good) !== isGood) return first === null ? null : startOf(first);
      first = row;
    }
  return first === null ? null : startOf(first);
}

async function lastGood(sql: Sql, series: SeriesKey, slot: number): Promise<EpochMillis | null> {
  for await (const rows of walkResults(sql, series, { ...dayBefore(slot), wanted })) {
    const row = rows.find(({ status }) => status === good);
    if (row !== undefined) return epochMillis(startOf(row));
  }
  return null;
}

const startOf = ({ slot, started }: ResultRow): number => slot + started;
const dayBefore = (slot: number): WalkRange => ({
  from: slot - storeLimits.turnLookedBack,
  to: slot + 1,
  order: "newest first",
});
