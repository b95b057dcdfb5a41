import type { Clock } from "#clock";
import { blamesTarget, type FailurePhase } from "#failure";
import * as limits from "#limits";
import type { Kind } from "#monitor";
import { type Database, integer, type Row, text } from "#service/database";
import { epochMillis, type EpochMillis, type Millis, millis } from "#units";
import type { ResultStatus } from "#verdict";

/** One result as it came from an agent. */
export interface IncomingResult {
  readonly id: string;
  readonly monitorId: string;
  readonly slot: EpochMillis;
  readonly kind: Kind;
  readonly status: ResultStatus;
  readonly message: string;
  readonly latency: Millis;
  readonly startedAt: EpochMillis;
  readonly statusCode: number;
  readonly failureCode: string;
  readonly failurePhase: string;
  readonly payload: Uint8Array;
}

export interface StoredResult extends Omit<IncomingResult, "payload"> {
  readonly sequence: number;
  readonly locationId: string;
  readonly storedAt: EpochMillis;
}

export interface ResultCounts {
  readonly monitorId: string;
  readonly total: number;
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
}

/** The results of all locations, kept for a while, and what the newest of them says of each monitor. */
export class Results {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Stores a result unless (location, monitor, slot) is there already: then nothing changes. */
  store(locationId: string, result: IncomingResult): "accepted" | "duplicate" {
    return this.#database.transaction(() => {
      const stored = this.#insert(locationId, result);
      if (!stored) return "duplicate";
      if (saysSomethingOfTarget(result.failurePhase)) this.#moveState(locationId, result);
      return "accepted";
    });
  }

  list(filter: {
    readonly monitorId: string;
    readonly locationId: string;
    readonly after: number;
    readonly limit: number;
  }): readonly StoredResult[] {
    const { monitorId, locationId, after, limit } = filter;
    return this.#database
      .all(
        `SELECT * FROM results WHERE sequence > ? AND (? = '' OR monitor_id = ?) AND (? = '' OR location_id = ?)
         ORDER BY sequence LIMIT ?`,
        after,
        monitorId,
        monitorId,
        locationId,
        locationId,
        limit,
      )
      .map(resultOf);
  }

  /** How many results of each monitor are kept, by status; monitors without any are left out. */
  counts(locationId: string): readonly ResultCounts[] {
    return this.#database
      .all(
        `SELECT monitor_id, COUNT(*) AS total, SUM(status = 'success') AS success, SUM(status = 'degraded') AS degraded,
           SUM(status = 'error') AS error
         FROM results WHERE ? = '' OR location_id = ? GROUP BY monitor_id`,
        locationId,
        locationId,
      )
      .map((row) => ({
        monitorId: text(row, "monitor_id"),
        total: integer(row, "total"),
        success: integer(row, "success"),
        degraded: integer(row, "degraded"),
        error: integer(row, "error"),
      }));
  }

  /** Forgets what is too old or too much; the number of results that were forgotten. */
  forgetOld(): number {
    const old = this.#database.run(
      "DELETE FROM results WHERE stored_at < ?",
      this.#clock.wall() - limits.resultsKeptFor,
    );
    const surplus = this.#database.run(
      `DELETE FROM results WHERE sequence IN (
         SELECT sequence FROM (
           SELECT sequence, ROW_NUMBER() OVER (PARTITION BY monitor_id ORDER BY sequence DESC) AS place FROM results
         ) WHERE place > ?)`,
      limits.resultsKeptPerMonitor,
    );
    return old + surplus;
  }

  #insert(locationId: string, result: IncomingResult): boolean {
    return (
      this.#database.run(
        `INSERT INTO results (id, location_id, monitor_id, slot, kind, status, message, latency, started_at, status_code,
           failure_code, failure_phase, payload, stored_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (location_id, monitor_id, slot) DO NOTHING`,
        result.id,
        locationId,
        result.monitorId,
        result.slot,
        result.kind,
        result.status,
        result.message,
        result.latency,
        result.startedAt,
        result.statusCode,
        result.failureCode,
        result.failurePhase,
        result.payload,
        this.#clock.wall(),
      ) === 1
    );
  }

  /** Only a strictly newer slot moves the state, so a backlog that arrives late rewrites no present. */
  #moveState(locationId: string, { monitorId, slot, status }: IncomingResult): void {
    this.#database.run(
      `INSERT INTO monitor_states (location_id, monitor_id, slot, status) VALUES (?, ?, ?, ?)
       ON CONFLICT (location_id, monitor_id) DO UPDATE SET slot = excluded.slot, status = excluded.status
       WHERE excluded.slot > monitor_states.slot`,
      locationId,
      monitorId,
      slot,
      status,
    );
  }
}

/** Faults of configuration, policy and agent are never a target's downtime. The plain calls do not tell the phase. */
function saysSomethingOfTarget(phase: string): boolean {
  const blameless: readonly FailurePhase[] = ["config", "policy", "agent"];
  const known = blameless.find((one) => one === phase);
  return known === undefined || blamesTarget(known);
}

const resultOf = (row: Row): StoredResult => ({
  sequence: integer(row, "sequence"),
  id: text(row, "id"),
  locationId: text(row, "location_id"),
  monitorId: text(row, "monitor_id"),
  slot: epochMillis(integer(row, "slot")),
  kind: kindOf(text(row, "kind")),
  status: statusOf(text(row, "status")),
  message: text(row, "message"),
  latency: millis(integer(row, "latency")),
  startedAt: epochMillis(integer(row, "started_at")),
  statusCode: integer(row, "status_code"),
  failureCode: text(row, "failure_code"),
  failurePhase: text(row, "failure_phase"),
  storedAt: epochMillis(integer(row, "stored_at")),
});

const kindOf = (word: string): Kind => (word === "tcp" || word === "dns" ? word : "http");
const statusOf = (word: string): ResultStatus =>
  word === "success" || word === "degraded" ? word : "error";
