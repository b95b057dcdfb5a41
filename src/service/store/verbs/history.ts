import * as storeLimits from "#limits/store-limits";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import type {
  Bucket,
  BucketsQuery,
  ListedResult,
  ResultKey,
  ResultPage,
  ResultStore,
  ResultWithDetail,
  StoredResult,
  Totals,
  View,
  Window,
} from "#service/store/result-store";
import {
  allAmong,
  integer,
  optionalInstant,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import { detailAt, detailsAt } from "#service/store/packing/detail-rows";
import { rowAt } from "#service/store/packing/packed-rows";
import { firstOf, walkResults } from "#service/store/packing/result-walk";
import type { ResultRow } from "#service/store/packing/result-row";
import { failureWords, resultOf, statusesIn, statusOf } from "#service/store/verbs/result-rows";
import { daysOf, sumsOf } from "#service/store/verbs/day-rows";
import { downtimesOf } from "#service/store/verbs/downtime/span-downtime";
import { gapsOf } from "#service/store/verbs/gap-rows";
import { past } from "#service/store/verbs/past";
import { bucketOf, rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { certificateOf, seenLatency } from "#service/store/verbs/series-rows";
import { assignedSeries, whatIsThere } from "#service/store/verbs/what-is-there";
import { reads, type VerbsOf } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** What is asked of results that are there. Every question is bounded, and finds its rows by a key. */
export const history: VerbsOf<Omit<ResultStore, "append" | "miss" | "seen" | "forget" | "pack">> = {
  newestSlots: reads(
    "results.newestSlots",
    async (
      sql,
      location: LocationId,
      monitors: readonly MonitorId[],
    ): Promise<ReadonlyMap<MonitorId, EpochMillis>> => {
      const assigned = await assignedSeries(sql, location, monitors);
      const rows = await allAmong(
        sql,
        "SELECT monitor, newest_slot FROM series WHERE location = ? AND newest_slot > 0 AND monitor IN (*)",
        [location],
        monitors,
      );
      const own = rows.filter((row) => assigned.has(`${integer(row, "monitor")} ${location}`));
      return new Map(
        own.map((row) => [
          monitorId(integer(row, "monitor")),
          epochMillis(integer(row, "newest_slot")),
        ]),
      );
    },
  ),
  views: reads("results.views", async (sql, monitors: readonly MonitorId[]): Promise<View[]> => {
    const asked = monitors.slice(0, storeLimits.monitorsNamedMax);
    const assigned = await assignedSeries(sql, null, asked);
    const rows = await allAmong(sql, "SELECT * FROM series WHERE monitor IN (*)", [], asked);
    return rows.map(viewOf).filter((one) => assigned.has(`${one.monitor} ${one.location}`));
  }),
  totals: reads(
    "results.totals",
    async (
      sql,
      location: LocationId | null,
      monitors: readonly MonitorId[],
    ): Promise<readonly Totals[]> => {
      const there = await whatIsThere(sql, monitors);
      const rows = await allAmong(
        sql,
        `SELECT monitor, location, success, degraded, error FROM series
         WHERE ${there.condition}${location === null ? "" : " AND location = ?"} AND monitor IN (*)`,
        location === null ? [] : [location],
        there.monitors,
      );
      return rows.map(totalsOf);
    },
  ),
  window: reads("results.window", window),
  result: reads("results.result", result),
  buckets: reads("results.buckets", buckets),
  days: reads("results.days", daysOf),
  sums: reads("results.sums", sumsOf),
  downtimes: reads("results.downtimes", downtimesOf),
  gaps: reads("results.gaps", gapsOf),
  ...past,
};

/** Each location's results lie in order, so the page is the first of what all their first ones are merged to. */
async function window(sql: Sql, asked: Window): Promise<ResultPage> {
  const { monitor, limit } = asked;
  const skip = Math.min(asked.skip, storeLimits.resultsSkippedMax);
  const there = await whatIsThere(sql, [monitor]);
  if (there.monitors.length === 0) return { results: [], next: null };
  const rows = await sql.all(
    `SELECT location FROM series WHERE monitor = ? AND ${there.condition}${asked.location === null ? "" : " AND location = ?"}`,
    asked.location === null ? [monitor] : [monitor, asked.location],
  );
  const found: RowAtPlace[] = [];
  for (const row of rows) {
    const location = locationId(integer(row, "location"));
    const own = await ofOneLocation(sql, asked, location, skip + limit + 1);
    found.push(...own.map((one) => ({ location, slot: epochMillis(one.slot), row: one })));
  }
  const merged = found.toSorted((a, b) => before(asked.order, a, b)).slice(skip);
  const page = merged.slice(0, limit);
  const words = await failureWords(
    sql,
    page.map((one) => one.row),
  );
  const shown = page.map(({ location, row }) => resultOf({ monitor, location }, row, words));
  const results = await withMessages(sql, monitor, shown);
  const last = results.at(-1);
  const next =
    merged.length > limit && last !== undefined
      ? { slot: last.slot, location: last.location }
      : null;
  return { results, next };
}

type Place = Pick<StoredResult, "slot" | "location">;
interface RowAtPlace extends Place {
  readonly row: ResultRow;
}
const before = (order: Window["order"], a: Place, b: Place): number =>
  (order === "oldest first" ? 1 : -1) * (a.slot - b.slot || a.location - b.location);

function ofOneLocation(
  sql: Sql,
  { monitor, from, to, order, cursor }: Window,
  location: LocationId,
  count: number,
): Promise<readonly ResultRow[]> {
  const rises = order === "oldest first";
  // The cursor's own slot is done for locations up to the cursor's, in the order that is asked for.
  const isDone = cursor !== null && (location - cursor.location) * (rises ? 1 : -1) <= 0;
  const least = cursor === null || !rises ? from : Math.max(from, cursor.slot + Number(isDone));
  const most = cursor === null || rises ? to : Math.min(to, cursor.slot + Number(!isDone));
  const walk = { from: least, to: most, order, wanted: count };
  return firstOf(walkResults(sql, { monitor, location }, walk), count);
}

/** Looked up for what is shown alone: most results have none. */
async function withMessages(
  sql: Sql,
  monitor: MonitorId,
  results: readonly StoredResult[],
): Promise<readonly ListedResult[]> {
  const messages = new Map<string, string>();
  for (const [location, own] of Map.groupBy(results, (one) => one.location)) {
    const slots = own.map(({ slot }) => slot);
    const details = await detailsAt(sql, { monitor, location }, slots, "messages");
    for (const { slot, message } of details.values()) messages.set(`${location} ${slot}`, message);
  }
  return results.map((one) => ({
    ...one,
    message: messages.get(`${one.location} ${one.slot}`) ?? "",
  }));
}

async function result(sql: Sql, key: ResultKey): Promise<ResultWithDetail | null> {
  const there = await whatIsThere(sql, [key.monitor]);
  if (there.monitors.length === 0) return null;
  const [series] = await sql.all(
    `SELECT monitor FROM series WHERE monitor = ? AND location = ? AND ${there.condition}`,
    [key.monitor, key.location],
  );
  const row = series === undefined ? null : await rowAt(sql, key, key.slot);
  if (row === null) return null;
  return {
    ...resultOf(key, row, await failureWords(sql, [row])),
    detail: await detailAt(sql, key, key.slot),
  };
}

async function buckets(sql: Sql, asked: BucketsQuery): Promise<readonly Bucket[]> {
  const { location } = asked;
  const monitors = await thereAmong(sql, asked.monitors.slice(0, storeLimits.monitorsNamedMax));
  const locations = new Set(
    (await sql.all("SELECT id FROM locations")).map((row) => locationId(integer(row, "id"))),
  );
  const rows = await rowsOfBuckets(
    sql,
    { ...asked, monitors },
    {
      select: `SELECT * FROM ${rollupTables[asked.grain]}`,
      rest: location === null ? "" : " AND location = ?",
      values: location === null ? [] : [location],
    },
  );
  const all = rows.map(bucketOf).filter((one) => locations.has(one.location));
  return all.toSorted((a, b) => a.begin - b.begin);
}

async function thereAmong(sql: Sql, monitors: readonly MonitorId[]): Promise<readonly MonitorId[]> {
  const rows = await allAmong(sql, "SELECT id FROM monitors WHERE id IN (*)", [], monitors);
  return rows.map((row) => monitorId(integer(row, "id")));
}

function viewOf(row: Row): View {
  const seenSlot = optionalInteger(row, "seen_slot");
  return {
    monitor: monitorId(integer(row, "monitor")),
    location: locationId(integer(row, "location")),
    newestSlot: epochMillis(integer(row, "newest_slot")),
    blindSlot: optionalInstant(row, "blind_slot"),
    certificate: certificateOf(row),
    seen:
      seenSlot === null
        ? null
        : {
            slot: epochMillis(seenSlot),
            status: statusOf(integer(row, "seen_status")),
            since: epochMillis(integer(row, "seen_since")),
            recent: statusesIn(text(row, "recent")),
            startedAt: epochMillis(integer(row, "seen_started")),
            latency: seenLatency(row),
          },
  };
}

const totalsOf = (row: Row): Totals => ({
  monitor: monitorId(integer(row, "monitor")),
  location: locationId(integer(row, "location")),
  success: integer(row, "success"),
  degraded: integer(row, "degraded"),
  error: integer(row, "error"),
});
