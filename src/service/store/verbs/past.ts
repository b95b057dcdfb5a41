import { fineLatency, sumOfEchoes } from "#check/echo-spread";
import { type PhaseName, phaseNames } from "#check/outcome";
import { HistogramSum } from "#service/store/histogram";
import { locationId, type MonitorId, monitorId } from "#service/store/ids";
import type {
  DaysQuery,
  Reason,
  ResultKey,
  ResultStore,
  ResultWithDetail,
  StoredResult,
} from "#service/store/result-store";
import type { Stretch, StretchesQuery } from "#service/store/stretch";
import { allAmong, blob, integer, type Sql, text, type Row } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf } from "#service/store/verb";
import {
  resultColumns,
  resultOf,
  resultTables,
  statusNumber,
} from "#service/store/verbs/result-rows";
import { bucketsBetween, rollupTables } from "#service/store/verbs/rollup-rows";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import { after, epochMillis, millis, type Millis, nanosToMillis } from "#base/units";

/** What a person asks of the past: what it adds up to over time, why a check failed, and the last one of a sort. */
export const past: VerbsOf<
  Pick<ResultStore, "medians" | "stretches" | "reasons" | "lastDetailed">
> = {
  medians: reads("results.medians", medians),
  stretches: reads("results.stretches", stretches),
  reasons: reads("results.reasons", reasons),
  lastDetailed: reads("results.lastDetailed", lastDetailed),
};

/** Histograms are added up where they are read: to hand over those of a thousand monitors took longer than all else. */
async function medians(sql: Sql, asked: DaysQuery): Promise<ReadonlyMap<MonitorId, Millis>> {
  const monitors = asked.monitors.slice(0, storeLimits.monitorsNamedMax);
  const isFew = monitors.length <= storeLimits.daysLookedUpMax;
  const rows = isFew
    ? await histogramsOf(sql, { ...asked, monitors })
    : await histogramsAmong(sql, { ...asked, monitors });
  const sums = new Map<MonitorId, HistogramSum>();
  for (const row of rows)
    sums
      .getOrInsertComputed(monitorId(integer(row, "monitor")), () => new HistogramSum())
      .addHex(text(row, "histograms"));
  return new Map(
    [...sums].flatMap(([monitor, sum]): [MonitorId, Millis][] => {
      const median = sum.quantile(0.5);
      return median === null ? [] : [[monitor, median]];
    }),
  );
}

/** A row a group instead of one a histogram: of three locations of a thousand monitors it takes a quarter of the time. */
const joinedHistograms = ({ words }: Sql): string =>
  `SELECT monitor, ${words.joinedHex("latencies")} AS histograms FROM ${rollupTables.day}`;

/** Of a few: the others of a large service are not read. */
async function histogramsOf(sql: Sql, { monitors, from, to }: DaysQuery): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const there = await whatIsThere(sql, monitors);
  for (const begin of await bucketsBetween(sql, "day", { from, to }))
    rows.push(
      ...(await allAmong(
        sql,
        `${joinedHistograms(sql)} WHERE bucket = ? AND ${there.condition} AND monitor IN (*) GROUP BY monitor`,
        [begin],
        there.monitors,
      )),
    );
  return rows;
}

/** Of many: a range of the key as it lies. */
async function histogramsAmong(
  sql: Sql,
  { monitors, from, to }: DaysQuery,
): Promise<readonly Row[]> {
  const there = await whatIsThere(sql, monitors);
  const wanted = new Set<number>(there.monitors);
  const rows = await sql.all(
    `${joinedHistograms(sql)} WHERE bucket >= ? AND bucket < ? AND monitor >= ? AND monitor <= ? AND ${there.condition}
     GROUP BY monitor`,
    [from, to, Math.min(...monitors), Math.max(...monitors)],
  );
  return rows.filter((row) => wanted.has(integer(row, "monitor")));
}

/** Rows are added up where they are read: a week of them would take longer to hand over than to read. */
async function stretches(sql: Sql, query: StretchesQuery): Promise<readonly Stretch[]> {
  const { monitor, location, from, to, length } = query;
  const rows = await sql.all(
    `SELECT ${resultColumns} FROM ${resultTables}
     WHERE monitor = ? AND slot >= ? AND slot < ?${location === null ? "" : " AND location = ?"}
     ORDER BY location, slot DESC LIMIT ?`,
    [monitor, from, to, ...(location === null ? [] : [location]), storeLimits.stretchedResultsMax],
  );
  const groups = Map.groupBy(rows.map(resultOf), ({ slot }) => Math.floor((slot - from) / length));
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([index, results]) => stretchOf(after(from, millis(index * length)), results));
}

function stretchOf(begin: Stretch["begin"], results: readonly StoredResult[]): Stretch {
  const count = (status: StoredResult["status"]): number =>
    results.filter((one) => one.status === status).length;
  const latencies = results
    .filter(({ status }) => status !== "error")
    .map(fineLatency)
    .toSorted((a, b) => a - b);
  const quantile = (share: number): Millis | null =>
    latencies[Math.max(0, Math.ceil(latencies.length * share) - 1)] ?? null;
  const meanOf = (name: PhaseName): Millis => {
    const all = results.map(({ phases }) => phases[name]).filter((one) => one !== null);
    return millis(all.reduce((sum, one) => sum + nanosToMillis(one), 0) / results.length);
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
  const found: Reason[] = [];
  for (const key of keys.slice(0, storeLimits.monitorsNamedMax)) {
    const [row] = await sql.all(
      `SELECT COALESCE(failures.word, '') AS failure, COALESCE(result_details.message, '') AS message
       FROM ${resultTables} LEFT JOIN result_details ON result_details.monitor = results.monitor
         AND result_details.location = results.location AND result_details.slot = results.slot
       WHERE results.monitor = ? AND results.location = ? AND results.slot = ?`,
      [key.monitor, key.location, key.slot],
    );
    if (row === undefined) continue;
    const [code = "", phase = ""] = text(row, "failure").split(" ");
    found.push({ key, code, phase, message: text(row, "message") });
  }
  return found;
}

async function lastDetailed(
  sql: Sql,
  monitor: MonitorId,
  sort: "failed" | "passed",
): Promise<ResultWithDetail | null> {
  const locations = await sql.all("SELECT location FROM series WHERE monitor = ?", [monitor]);
  let newest: ResultWithDetail | null = null;
  for (const row of locations) {
    const found = await lastAt(sql, monitor, integer(row, "location"), sort);
    if (found !== null && (newest === null || found.slot > newest.slot)) newest = found;
  }
  return newest;
}

async function lastAt(
  sql: Sql,
  monitor: MonitorId,
  location: number,
  sort: "failed" | "passed",
): Promise<ResultWithDetail | null> {
  const [place] = await sql.all(
    `SELECT result_details.slot, message, payload FROM result_details
       JOIN results ON results.monitor = result_details.monitor
         AND results.location = result_details.location AND results.slot = result_details.slot
     WHERE result_details.monitor = ? AND result_details.location = ?
       AND results.status ${sort === "failed" ? "=" : "<>"} ?
     ORDER BY result_details.slot DESC LIMIT 1`,
    [monitor, location, statusNumber("error")],
  );
  if (place === undefined) return null;
  const slot = epochMillis(integer(place, "slot"));
  const [row] = await sql.all(
    `SELECT ${resultColumns} FROM ${resultTables} WHERE monitor = ? AND location = ? AND slot = ?`,
    [monitor, locationId(location), slot],
  );
  if (row === undefined) return null;
  const detail = { message: text(place, "message"), payload: blob(place, "payload") };
  return { ...resultOf(row), detail };
}
