import * as limits from "#limits";
import { type Kind, kinds } from "#check/monitor";
import type { MonitorStatus } from "#check/monitor-status";
import { type View, viewAfter } from "#service/judge/view";
import { type Database, integer, oneOf, optionalInteger, type Row, text } from "#service/database";
import type { SteadyClock } from "#steady-clock";
import { epochMillis, type EpochMillis, type Millis, millis } from "#units";
import { resultStatuses, type ResultStatus } from "#check/verdict";

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
  /** A success whose latency is too close to the threshold, for its error bar, to be called fast. */
  readonly uncertain: boolean;
  /** Its slot came, or somebody asked for it. */
  readonly trigger: "cron" | "api";
  readonly payload: Uint8Array;
}

export interface StoredResult extends Omit<IncomingResult, "payload" | "uncertain"> {
  readonly sequence: number;
  readonly locationId: string;
  readonly storedAt: EpochMillis;
}

/** A result with what only its payload says. */
export interface ResultWithPayload extends StoredResult {
  readonly payload: Uint8Array;
}

export interface Tally {
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  readonly latencies: readonly number[];
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
  readonly #clock: SteadyClock;

  constructor(database: Database, clock: SteadyClock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Stores a result unless (location, monitor, slot) is there already: then nothing changes. */
  store(locationId: string, result: IncomingResult): "accepted" | "duplicate" {
    return this.#database.transaction(() => {
      const stored = this.#insert(locationId, result);
      if (!stored) return "duplicate";
      this.#moveView(locationId, result);
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
    // Only the conditions that are asked for, so that each has its index.
    const wanted = [
      ...(monitorId === "" ? [] : [{ condition: " AND monitor_id = ?", value: monitorId }]),
      ...(locationId === "" ? [] : [{ condition: " AND location_id = ?", value: locationId }]),
    ];
    const conditions = wanted.map(({ condition }) => condition).join("");
    return this.#database
      .all(
        `SELECT ${listedColumns} FROM results WHERE sequence > ? AND ${ofLocations}${conditions} ORDER BY sequence LIMIT ?`,
        after,
        ...wanted.map(({ value }) => value),
        limit,
      )
      .map(resultOf);
  }

  /** The newest slot of each monitor of a location that has a result there. */
  newestSlots(locationId: string): ReadonlyMap<string, EpochMillis> {
    const rows = this.#database.all(
      // Asked for one by one, each is the end of an index; grouped, all results would be read.
      `SELECT monitor_id, (SELECT MAX(slot) FROM results
         WHERE location_id = assigned.location_id AND monitor_id = assigned.monitor_id AND trigger = 'cron') AS slot
       FROM location_monitors AS assigned WHERE location_id = ?`,
      locationId,
    );
    return new Map(
      rows.flatMap((row) => {
        const slot = optionalInteger(row, "slot");
        return slot === null ? [] : [[text(row, "monitor_id"), epochMillis(slot)]];
      }),
    );
  }

  /** How many results of each monitor are kept, by status; monitors without any are left out. */
  counts(locationId: string): readonly ResultCounts[] {
    return this.#database
      .all(
        `SELECT monitor_id, SUM(total) AS total, SUM(total * (status = 'success')) AS success,
           SUM(total * (status = 'degraded')) AS degraded, SUM(total * (status = 'error')) AS error
         FROM result_counts WHERE ? = '' OR location_id = ? GROUP BY monitor_id`,
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

  /** The worst of what the newest results of each monitor say, fresh or not. */
  lastSeen(locationId: string): ReadonlyMap<string, MonitorStatus> {
    const rows = this.#database.all(
      `SELECT monitor_id, MAX(CASE status WHEN 'error' THEN 2 WHEN 'degraded' THEN 1 ELSE 0 END) AS worst
       FROM monitor_states WHERE ? = '' OR location_id = ? GROUP BY monitor_id`,
      locationId,
      locationId,
    );
    return new Map(
      rows.map((row) => [text(row, "monitor_id"), byWeight[integer(row, "worst")] ?? "unknown"]),
    );
  }

  /** One monitor's results of slots from an instant on: how many, and the latencies of those that passed, in order. */
  tally(monitorId: string, from: EpochMillis): Tally {
    const rows = this.#database.all(
      `SELECT status, latency FROM results WHERE monitor_id = ? AND slot >= ? AND ${ofLocations}`,
      monitorId,
      from,
    );
    const count = (status: ResultStatus): number =>
      rows.filter((row) => text(row, "status") === status).length;
    return {
      success: count("success"),
      degraded: count("degraded"),
      error: count("error"),
      latencies: rows
        .filter((row) => text(row, "status") !== "error")
        .map((row) => integer(row, "latency"))
        .toSorted((a, b) => a - b),
    };
  }

  /** One monitor's results of a span of slots, newest first. */
  window(
    monitorId: string,
    { from, to }: { readonly from: EpochMillis; readonly to: EpochMillis },
    limit: number,
    offset: number,
  ): readonly ResultWithPayload[] {
    return this.#database
      .all(
        `SELECT * FROM results WHERE monitor_id = ? AND slot BETWEEN ? AND ? AND ${ofLocations}
         ORDER BY slot DESC, location_id LIMIT ? OFFSET ?`,
        monitorId,
        from,
        to,
        limit,
        offset,
      )
      .map(withPayload);
  }

  at(monitorId: string, locationId: string, slot: EpochMillis): ResultWithPayload | null {
    const row = this.#database.get(
      "SELECT * FROM results WHERE location_id = ? AND monitor_id = ? AND slot = ?",
      locationId,
      monitorId,
      slot,
    );
    return row === null ? null : withPayload(row);
  }

  /** Forgets some of what is too old or too much; the number of results forgotten, 0 when all that was. */
  forgetSome(): number {
    const old = this.#database.run(
      `DELETE FROM results WHERE sequence IN
         (SELECT sequence FROM results WHERE stored_at < ? ORDER BY stored_at LIMIT ?)`,
      this.#clock.withoutSteps - limits.resultsKeptFor,
      limits.forgetRowsAtOnce,
    );
    return old || this.#forgetDeleted() || this.#forgetSurplus();
  }

  /** Some of a location that is gone; with the last of them the location is forgotten. */
  #forgetDeleted(): number {
    const location = this.#database.get("SELECT id FROM deleted_locations LIMIT 1");
    if (location === null) return 0;
    const id = text(location, "id");
    const gone = this.#database.run(
      `DELETE FROM results WHERE sequence IN (SELECT sequence FROM results WHERE location_id = ? LIMIT ?)`,
      id,
      limits.forgetRowsAtOnce,
    );
    return gone || this.#database.run("DELETE FROM deleted_locations WHERE id = ?", id);
  }

  /** The oldest of one monitor that has more results than are kept. */
  #forgetSurplus(): number {
    const most = this.#database.get(
      "SELECT monitor_id, SUM(total) AS kept FROM result_counts GROUP BY monitor_id HAVING kept > ? LIMIT 1",
      limits.resultsKeptPerMonitor,
    );
    if (most === null) return 0;
    return this.#database.run(
      `DELETE FROM results WHERE sequence IN
         (SELECT sequence FROM results WHERE monitor_id = ? ORDER BY sequence LIMIT ?)`,
      text(most, "monitor_id"),
      Math.min(integer(most, "kept") - limits.resultsKeptPerMonitor, limits.forgetRowsAtOnce),
    );
  }

  #insert(locationId: string, result: IncomingResult): boolean {
    return (
      this.#database.run(
        `INSERT INTO results (id, location_id, monitor_id, slot, kind, status, message, latency, started_at, status_code,
           failure_code, failure_phase, payload, stored_at, trigger)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
        result.trigger,
      ) === 1
    );
  }

  #moveView(locationId: string, result: IncomingResult): void {
    const { monitorId } = result;
    const before = this.#database.get(
      "SELECT slot, status, since FROM monitor_states WHERE location_id = ? AND monitor_id = ?",
      locationId,
      monitorId,
    );
    const view = before === null ? null : viewOf(before);
    const moved = viewAfter(view, result);
    if (moved === view || moved === null) return;
    this.#database.run(
      `INSERT INTO monitor_states (location_id, monitor_id, slot, status, since) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (location_id, monitor_id) DO UPDATE
       SET slot = excluded.slot, status = excluded.status, since = excluded.since`,
      locationId,
      monitorId,
      moved.slot,
      moved.status,
      moved.since,
    );
  }
}

/** Results of a location that is gone are not shown while they wait to be deleted. */
const ofLocations = "location_id NOT IN (SELECT id FROM deleted_locations)";

export const viewOf = (row: Row): View => ({
  slot: epochMillis(integer(row, "slot")),
  status: oneOf(row, "status", resultStatuses),
  since: epochMillis(integer(row, "since")),
});

const byWeight: readonly MonitorStatus[] = ["active", "degraded", "error"];

/** All but the payload, which no list shows. */
const listedColumns = `sequence, id, location_id, monitor_id, slot, kind, status, message, latency, started_at,
  status_code, failure_code, failure_phase, stored_at, trigger`;

const resultOf = (row: Row): StoredResult => ({
  sequence: integer(row, "sequence"),
  id: text(row, "id"),
  locationId: text(row, "location_id"),
  monitorId: text(row, "monitor_id"),
  slot: epochMillis(integer(row, "slot")),
  kind: oneOf(row, "kind", kinds),
  status: oneOf(row, "status", resultStatuses),
  message: text(row, "message"),
  latency: millis(integer(row, "latency")),
  startedAt: epochMillis(integer(row, "started_at")),
  statusCode: integer(row, "status_code"),
  failureCode: text(row, "failure_code"),
  failurePhase: text(row, "failure_phase"),
  storedAt: epochMillis(integer(row, "stored_at")),
  trigger: text(row, "trigger") === "api" ? "api" : "cron",
});

const withPayload = (row: Row): ResultWithPayload => {
  const payload = row["payload"];
  return {
    ...resultOf(row),
    payload: payload instanceof Uint8Array ? payload : new Uint8Array(),
  };
};
