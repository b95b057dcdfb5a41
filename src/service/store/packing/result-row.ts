import { blob, integer, type Row } from "#service/store/sql";
import { readVarints } from "#service/store/varint";

/** A result as the store keeps it: whole numbers. `started` and `stored` are from its slot on. */
export interface ResultRow {
  readonly slot: number;
  readonly status: number;
  readonly latency: number;
  readonly started: number;
  readonly statusCode: number;
  /** The number of a word in `failures`; 0 is none. */
  readonly failure: number;
  readonly stored: number;
  /** Phases and what follows them: see result-rows.ts. */
  readonly times: readonly number[];
  readonly attempts: number;
  readonly asked: number;
}

/** What a SELECT of results names, so that a row can be made of it. */
export const resultRowColumns =
  "slot, status, latency, started, status_code, failure, stored, phases, attempts, asked";

export const resultRowOf = (row: Row): ResultRow => ({
  slot: integer(row, "slot"),
  status: integer(row, "status"),
  latency: integer(row, "latency"),
  started: integer(row, "started"),
  statusCode: integer(row, "status_code"),
  failure: integer(row, "failure"),
  stored: integer(row, "stored"),
  times: readVarints(blob(row, "phases")),
  attempts: integer(row, "attempts"),
  asked: integer(row, "asked"),
});
