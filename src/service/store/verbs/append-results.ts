import { unaudited } from "#service/store/audit/audited";
import * as limits from "#limits/check-limits";
import * as storeLimits from "#limits/store-limits";
import { phaseNames } from "#check/outcome";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type {
  MissedBatch,
  NewResult,
  ResultBatch,
  StoreReceipt,
} from "#service/store/result-store";
import type { Share } from "#service/store/share";
import { allAmong, insertRows, integer, type Sql, type SqlValue, text } from "#service/store/sql";
import type { DatedResult } from "#service/store/verbs/dated-result";
import { makeDue } from "#service/store/verbs/due-states";
import { addToGaps } from "#service/store/verbs/gap-rows";
import { overlapsOf } from "#service/store/standing-result";
import { letterOf, statusNumber } from "#service/store/verbs/result-rows";
import { addToRollups, type SeriesOverlap } from "#service/store/verbs/rollup-rows";
import {
  seriesOf,
  type Series,
  standingOf,
  withBlindSlots,
  withResults,
  writeSeries,
} from "#service/store/verbs/series-rows";
import { lockSeries, packedAmong } from "#service/store/verbs/packed-slots";
import { writeVarints } from "#service/store/varint";
import { type Verb, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis, type Nanos } from "#base/units";

/** Stores the results of one location, with everything that is made of them. */
export const appendResults: Verb<[batch: ResultBatch, lanes: Lanes], readonly StoreReceipt[]> =
  writes("results.append", "results", unaudited("agents report it"), append);

/** Notes slots of one location of which nothing was learned. */
export const missSlots: Verb<[batch: MissedBatch, lanes: Lanes], void> = writes(
  "results.miss",
  "results",
  unaudited("agents report it"),
  miss,
);

type Lanes = Share["lanes"];

async function append(
  sql: Sql,
  batch: ResultBatch,
  lanes: Lanes,
): Promise<readonly StoreReceipt[]> {
  const { location, results } = batch;
  const packedUntil = await lockSeries(sql, location, lanes);
  const assigned = await assignedAmong(sql, location, results);
  const known = results.filter(({ monitor }) => assigned.has(monitor));
  const packed = await packedAmong(
    sql,
    location,
    known.filter(({ slot }) => slot < packedUntil),
  );
  const accepted = await insertResults(
    sql,
    location,
    known
      .filter((result) => !packed.has(result))
      .map((result) => ({ ...result, storedAt: batch.storedAt })),
  );
  return results.map((result) => {
    if (!assigned.has(result.monitor)) return { kind: "unassigned" };
    // Of several with one key in a batch, the first is the one that was stored.
    return { kind: accepted.delete(keyOf(result)) ? "accepted" : "duplicate" };
  });
}

/** Which of the monitors are assigned. */
async function assignedAmong(
  sql: Sql,
  location: LocationId,
  all: readonly { readonly monitor: MonitorId }[],
): Promise<ReadonlySet<MonitorId>> {
  const rows = await allAmong(
    sql,
    "SELECT monitor FROM assignments WHERE location = ? AND monitor IN (*)",
    [location],
    all.map(({ monitor }) => monitor),
  );
  return new Set(rows.map((row) => monitorId(integer(row, "monitor"))));
}

async function miss(
  sql: Sql,
  { location, storedAt, missed }: MissedBatch,
  lanes: Lanes,
): Promise<void> {
  await lockSeries(sql, location, lanes);
  const assigned = await assignedAmong(sql, location, missed);
  const known = missed.filter(({ monitor }) => assigned.has(monitor));
  const byMonitor = Map.groupBy(known, ({ monitor }) => monitor);
  const before = await seriesOf(sql, location, [...byMonitor.keys()]);
  const after = [...byMonitor].map(([monitor, own]) => {
    const series = withResults({ monitor, location }, before.get(monitor) ?? null, []);
    return withBlindSlots(
      series,
      own.map(({ slot }) => slot),
    );
  });
  await addToGaps(sql, location, known);
  await writeSeries(sql, after);
  await haveJudged(sql, after, storedAt);
}

/** Stores results whoever they belong to, with details, rollups and series; gives the keys of those that were not there. */
export async function insertResults(
  sql: Sql,
  location: LocationId,
  results: readonly DatedResult[],
): Promise<Set<string>> {
  const failures = await failureNumbers(sql, results);
  const returned = await insertRows(
    sql,
    `INSERT INTO results (monitor, location, slot, status, latency, started, status_code, failure, stored, phases,
       attempts, asked)`,
    results.map((result) => rowOf(location, result, failures)),
    "ON CONFLICT DO NOTHING RETURNING monitor, slot",
  );
  const keys = returned.map((row) => `${integer(row, "monitor")} ${integer(row, "slot")}`);
  const left = new Set(keys);
  const accepted = results.filter((result) => left.delete(keyOf(result)));
  if (accepted.length > 0) await makeOf(sql, location, accepted);
  return new Set(keys);
}

const keyOf = ({ monitor, slot }: NewResult): string => `${monitor} ${slot}`;

/** Details, rollups and series of results that are new, all from what the series were before. */
async function makeOf(
  sql: Sql,
  location: LocationId,
  accepted: readonly DatedResult[],
): Promise<void> {
  const byMonitor = Map.groupBy(accepted, ({ monitor }) => monitor);
  const before = await seriesOf(sql, location, [...byMonitor.keys()]);
  const details: SqlValue[][] = [];
  const overlaps: SeriesOverlap[] = [];
  const after = [...byMonitor].map(([monitor, own]) => {
    const ordered = own.toSorted((a, b) => a.slot - b.slot);
    const series = before.get(monitor) ?? null;
    for (const { slot, detail } of worthDetail(series, ordered))
      details.push([monitor, location, slot, detail.message, detail.payload]);
    const standing = standingOf(withResults({ monitor, location }, series, []));
    for (const overlap of overlapsOf(standing, ordered)) overlaps.push({ ...overlap, monitor });
    return withResults({ monitor, location }, series, ordered);
  });
  await insertRows(
    sql,
    "INSERT INTO result_details (monitor, location, slot, message, payload)",
    details,
    "ON CONFLICT DO NOTHING",
  );
  await addToRollups(sql, location, accepted, overlaps);
  const excused = accepted.flatMap(({ monitor, slot, period, excuse }) =>
    excuse === null ? [] : [{ monitor, slot, period, excuse }],
  );
  await addToGaps(sql, location, excused);
  await writeSeries(sql, after);
  await haveJudged(sql, after, accepted[0]?.storedAt ?? epochMillis(0));
}

/**
 * A monitor is judged again at once until what a location sees has lasted, if nothing counted until now, and where the
 * judge may be looking at it without these results.
 */
async function haveJudged(sql: Sql, after: readonly Series[], now: EpochMillis): Promise<void> {
  const monitors = after.map(({ monitor }) => monitor);
  const unsettled = after.filter(({ recent }) => !isSettled(recent)).map(({ monitor }) => monitor);
  const unjudged = `${makeDue} (judge_at IS NULL OR judge_at <= ?) AND monitor IN (*) RETURNING monitor`;
  await allAmong(sql, unjudged, [now], monitors);
  const judged = `${makeDue} judge_at > ? AND monitor IN (*) RETURNING monitor`;
  await allAmong(sql, judged, [now], unsettled);
}

/** No policy asks for more of one status in a row, and what was never but good is not waited for. */
function isSettled(recent: string): boolean {
  const newest = recent.slice(0, limits.policyRunMax + 1);
  if (new Set(newest).size > 1) return false;
  return newest.startsWith(letterOf("success")) || newest.length > limits.policyRunMax;
}

/** What is worth its detail: all that is not well, the first good one after it, and one in a hundred. */
function worthDetail(series: Series | null, ordered: readonly NewResult[]): readonly NewResult[] {
  let wasWell = series === null || series.status === "success";
  let count = series === null ? 0 : series.success + series.degraded + series.error;
  return ordered.filter(({ status }) => {
    const isWell = status === "success";
    const worth = !isWell || !wasWell || count % storeLimits.detailsKeptOneIn === 0;
    wasWell = isWell;
    count += 1;
    return worth;
  });
}

const rowOf = (
  location: LocationId,
  result: DatedResult,
  failures: ReadonlyMap<string, number>,
): SqlValue[] => [
  result.monitor,
  location,
  result.slot,
  statusNumber(result.status),
  Math.round(result.latency),
  result.startedAt - result.slot,
  result.statusCode,
  result.failure === null ? 0 : (failures.get(wordOf(result.failure)) ?? 0),
  result.storedAt - result.slot,
  timeBytes(result),
  result.attempts,
  Number(result.trigger === "api"),
];

/**
 * Whole microseconds, one more than they are: 0 did not happen. Behind phases and own work a ping has the numbers of its
 * echoes and replies, and the shortest and the longest round trip. What did not happen at the end is left out.
 */
function timeBytes({ phases, own, echoes }: DatedResult): Uint8Array {
  const values = [
    ...[...phaseNames.map((name) => phases[name]), own].map(microsBehind),
    ...(echoes === null ? [] : [echoes.sent, echoes.received]),
    ...(echoes === null ? [] : [echoes.least, echoes.most].map(microsBehind)),
  ];
  return writeVarints(values.slice(0, values.findLastIndex((value) => value > 0) + 1));
}

const microsBehind = (elapsed: Nanos | null): number =>
  elapsed === null ? 0 : Math.max(0, Math.round(elapsed / 1e3)) + 1;

const wordOf = ({ code, phase }: NonNullable<NewResult["failure"]>): string => `${code} ${phase}`;

/** The numbers of failures, made if there is none yet. Past the limit a failure has none: its detail says it still. */
async function failureNumbers(
  sql: Sql,
  results: readonly NewResult[],
): Promise<ReadonlyMap<string, number>> {
  const words = new Set(
    results.flatMap(({ failure }) => (failure === null ? [] : [wordOf(failure)])),
  );
  if (words.size === 0) return new Map();
  const known = await numbersOf(sql, words);
  const missing = [...words].filter(
    (word) => !known.has(word) && word.length <= storeLimits.failureWordCharsMax,
  );
  if (missing.length === 0) return known;
  const [row] = await sql.all("SELECT COUNT(*) AS count FROM failures");
  const room = Math.max(0, storeLimits.failureWordsMax - integer(row, "count"));
  await insertRows(
    sql,
    "INSERT INTO failures (word)",
    missing.slice(0, room).map((word) => [word]),
    "ON CONFLICT DO NOTHING",
  );
  return numbersOf(sql, words);
}

async function numbersOf(sql: Sql, words: ReadonlySet<string>): Promise<Map<string, number>> {
  const rows = await allAmong(
    sql,
    "SELECT id, word FROM failures WHERE word IN (*)",
    [],
    [...words],
  );
  return new Map(rows.map((row) => [text(row, "word"), integer(row, "id")]));
}
