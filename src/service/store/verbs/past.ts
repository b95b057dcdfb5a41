import { fineLatency, sumOfEchoes } from "#check/echo-spread";
import { type PhaseName, phaseNames } from "#check/outcome";
import { type LocationId, locationId, type MonitorId } from "#service/store/ids";
import type {
  Reason,
  ResultKey,
  ResultStore,
  ResultWithDetail,
  StoredResult,
} from "#service/store/result-store";
import type { Stretch, StretchesQuery } from "#service/store/stretch";
import { integer, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf } from "#service/store/verb";
import { detailAt, detailedRange, detailsAt } from "#service/store/packing/detail-rows";
import { rowAt } from "#service/store/packing/packed-rows";
import { firstOf, walkResults } from "#service/store/packing/result-walk";
import type { ResultRow } from "#service/store/packing/result-row";
import { failureOf, failureWords, resultOf, statusNumber } from "#service/store/verbs/result-rows";
import { medians } from "#service/store/verbs/days/medians";
import { after, millis, type Millis, nanosToMillis } from "#base/units";

/** What a person asks of the past: what it adds up to over time, why a check failed, and the last one of a sort. */
export const past: VerbsOf<
  Pick<ResultStore, "medians" | "stretches" | "reasons" | "lastDetailed">
> = {
  medians: reads("results.medians", medians),
  stretches: reads("results.stretches", stretches),
  reasons: reads("results.reasons", reasons),
  lastDetailed: reads("results.lastDetailed", lastDetailed),
};

/** Rows are added up where they are read: a week of them would take longer to hand over than to read. */
async function stretches(sql: Sql, query: StretchesQuery): Promise<readonly Stretch[]> {
  const { monitor, from, to, length } = query;
  const results: StoredResult[] = [];
  for (const location of await locationsOf(sql, query)) {
    const wanted = storeLimits.stretchedResultsMax - results.length;
    const walk = { from, to, order: "newest first", wanted } as const;
    const rows = await firstOf(walkResults(sql, { monitor, location }, walk), wanted);
    // Why a check failed is not asked here.
    results.push(...rows.map((row) => resultOf({ monitor, location }, row, new Map())));
  }
  const groups = Map.groupBy(results, ({ slot }) => Math.floor((slot - from) / length));
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([index, own]) => stretchOf(after(from, millis(index * length)), own));
}

async function locationsOf(
  sql: Sql,
  { monitor, location }: Pick<StretchesQuery, "monitor" | "location">,
): Promise<readonly LocationId[]> {
  if (location !== null) return [location];
  const rows = await sql.all("SELECT location FROM series WHERE monitor = ? ORDER BY location", [
    monitor,
  ]);
  return rows.map((row) => locationId(integer(row, "location")));
}

function stretchOf(begin: Stretch["begin"], results: readonly StoredResult[]): Stretch {
  const count = (status: StoredResult["status"]): number =>
    results.filter((one) => one.status === status).length;
  const passed = results.filter(({ status }) => status !== "error");
  const latencies = passed.map(fineLatency).toSorted((a, b) => a - b);
  const quantile = (share: number): Millis | null =>
    latencies[Math.max(0, Math.ceil(latencies.length * share) - 1)] ?? null;
  const meanOf = (name: PhaseName): Millis => {
    const all = passed.map(({ phases }) => phases[name]).filter((one) => one !== null);
    return millis(
      all.reduce((sum, one) => sum + nanosToMillis(one), 0) / Math.max(1, passed.length),
    );
  };
  return {
    begin,
    success: count("success"),
    degraded: count("degraded"),
    error: count("error"),
    p50: quantile(0.5),
    p95: quantile(0.95),
    phases: new Map(phaseNames.map((name) => [name, meanOf(name)])),
    echoes: sumOfEchoes(results.map(({ echoes }) => echoes)),
  };
}

async function reasons(sql: Sql, keys: readonly ResultKey[]): Promise<readonly Reason[]> {
  const found: { readonly key: ResultKey; readonly row: ResultRow; readonly message: string }[] =
    [];
  for (const key of keys.slice(0, storeLimits.monitorsNamedMax)) {
    const row = await rowAt(sql, key, key.slot);
    if (row === null) continue;
    const detail = await detailsAt(sql, key, [key.slot], "messages");
    found.push({ key, row, message: detail.get(key.slot)?.message ?? "" });
  }
  const words = await failureWords(
    sql,
    found.map(({ row }) => row),
  );
  return found.map(({ key, row, message }) => {
    const { code = "", phase = "" } = failureOf(row, words) ?? {};
    return { key, code, phase, message, statusCode: row.statusCode };
  });
}

async function lastDetailed(
  sql: Sql,
  monitor: MonitorId,
  sort: "failed" | "passed",
): Promise<ResultWithDetail | null> {
  let newest: ResultWithDetail | null = null;
  for (const location of await locationsOf(sql, { monitor, location: null })) {
    const found = await lastAt(sql, { monitor, location }, sort);
    if (found !== null && (newest === null || found.slot > newest.slot)) newest = found;
  }
  return newest;
}

/** The newest first, of the stretch that has details. */
async function lastAt(
  sql: Sql,
  { monitor, location }: Pick<ResultKey, "monitor" | "location">,
  sort: "failed" | "passed",
): Promise<ResultWithDetail | null> {
  const series = { monitor, location };
  const range = await detailedRange(sql, series);
  if (range === null) return null;
  const walk = {
    ...range,
    order: "newest first",
    wanted: storeLimits.resultsLookedAtFirst,
  } as const;
  const isSought = ({ status }: ResultRow): boolean =>
    (status === statusNumber("error")) === (sort === "failed");
  for await (const rows of walkResults(sql, series, walk)) {
    const sought = rows.filter(isSought);
    const slots = sought.map(({ slot }) => slot);
    const details = await detailsAt(sql, series, slots, "messages");
    const row = sought.find(({ slot }) => details.has(slot));
    if (row === undefined) continue;
    const result = resultOf(series, row, await failureWords(sql, [row]));
    return { ...result, detail: await detailAt(sql, series, row.slot) };
  }
  return null;
}
