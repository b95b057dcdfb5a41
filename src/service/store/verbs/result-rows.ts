import { phaseNames } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import { locationId, monitorId } from "#service/store/ids";
import type { StoredResult } from "#service/store/result-store";
import { blob, integer, type Row, text } from "#service/store/sql";
import { readVarints } from "#service/store/varint";
import { epochMillis, millis, nanos, type Nanos } from "#base/units";

/** What a SELECT of results names, so that a result can be made of each row. */
export const resultColumns = `results.monitor, results.location, results.slot, results.status, results.latency,
  results.started, results.status_code, results.stored, results.phases, results.attempts, results.asked,
  COALESCE(failures.word, '') AS failure`;
export const resultTables = "results LEFT JOIN failures ON failures.id = results.failure";

export function resultOf(row: Row): StoredResult {
  const slot = integer(row, "slot");
  const [code = "", phase = ""] = text(row, "failure").split(" ");
  return {
    monitor: monitorId(integer(row, "monitor")),
    location: locationId(integer(row, "location")),
    slot: epochMillis(slot),
    status: statusOf(integer(row, "status")),
    latency: millis(integer(row, "latency")),
    startedAt: epochMillis(slot + integer(row, "started")),
    statusCode: integer(row, "status_code"),
    failure: code === "" ? null : { code, phase },
    ...timesOf(readVarints(blob(row, "phases"))),
    attempts: integer(row, "attempts"),
    trigger: integer(row, "asked") === 1 ? "api" : "cron",
    storedAt: epochMillis(slot + integer(row, "stored")),
  };
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
