import { phaseNames } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { ResultRow } from "#service/store/packing/result-row";
import type { StoredResult } from "#service/store/result-store";
import type { CheckTimes } from "#service/store/rollup";
import { allAmong, integer, type Sql, text } from "#service/store/sql";
import { epochMillis, type Millis, millis, nanos, type Nanos } from "#base/units";

/** Words of failures by their numbers. */
type FailureWords = ReadonlyMap<number, string>;

/** Those that some results have. */
export async function failureWords(sql: Sql, rows: readonly ResultRow[]): Promise<FailureWords> {
  const numbers = rows.map(({ failure }) => failure).filter((number) => number !== 0);
  const found = await allAmong(sql, "SELECT id, word FROM failures WHERE id IN (*)", [], numbers);
  return new Map(found.map((row) => [integer(row, "id"), text(row, "word")]));
}

export function resultOf(
  { monitor, location }: { readonly monitor: MonitorId; readonly location: LocationId },
  row: ResultRow,
  words: FailureWords,
): StoredResult {
  return {
    monitor,
    location,
    slot: epochMillis(row.slot),
    status: statusOf(row.status),
    latency: millis(row.latency),
    startedAt: epochMillis(row.slot + row.started),
    statusCode: row.statusCode,
    failure: failureOf(row, words),
    ...timesOf(row.times),
    attempts: row.attempts,
    trigger: row.asked === 1 ? "api" : "cron",
    storedAt: epochMillis(row.slot + row.stored),
  };
}

/** What says for how long a check stands, of a monitor with this period. */
export const checkTimes = (
  {
    slot,
    started,
    latency,
    attempts,
  }: Pick<ResultRow, "slot" | "started" | "latency" | "attempts">,
  period: Millis,
): CheckTimes => ({
  slot: epochMillis(slot),
  startedAt: epochMillis(slot + started),
  latency: millis(latency),
  attempts,
  period,
});

export function failureOf({ failure }: ResultRow, words: FailureWords): StoredResult["failure"] {
  const [code = "", phase = ""] = (words.get(failure) ?? "").split(" ");
  return code === "" ? null : { code, phase };
}

/** The numbers of statuses are part of the file's shape. */
export const statuses = ["success", "degraded", "error"] as const;
export const statusNumber = (status: ResultStatus): number => statuses.indexOf(status);
export const statusOf = (number: number): ResultStatus => statuses[number] ?? "error";

/** The newest statuses of a series stand in one text. */
const letters: Readonly<Record<ResultStatus, string>> = { success: "s", degraded: "d", error: "e" };
export const letterOf = (status: ResultStatus): string => letters[status];
export const statusesIn = (recent: string): readonly ResultStatus[] =>
  recent
    .split("")
    .map((letter) => statuses.find((status) => letters[status] === letter) ?? "error");

/**
 * Phases in the order of their names; behind them the agent's own work and what echoes came to, of which rows of older
 * versions have none.
 */
function timesOf(values: readonly number[]): Pick<StoredResult, "phases" | "own" | "echoes"> {
  const elapsed = (index: number): Nanos | null => {
    const value = values[index] ?? 0;
    return value === 0 ? null : nanos((value - 1) * 1e3);
  };
  const of = (name: (typeof phaseNames)[number]): Nanos | null => elapsed(phaseNames.indexOf(name));
  const phases = {
    dns: of("dns"),
    connect: of("connect"),
    proxy: of("proxy"),
    tls: of("tls"),
    write: of("write"),
    wait: of("wait"),
    receive: of("receive"),
  };
  const [sent = 0, received = 0] = values.slice(phaseNames.length + 1);
  const [least, most] = [elapsed(phaseNames.length + 3), elapsed(phaseNames.length + 4)];
  return {
    phases,
    own: elapsed(phaseNames.length),
    echoes: sent === 0 ? null : { sent, received, least, most },
  };
}
