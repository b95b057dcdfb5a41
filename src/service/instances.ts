import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Placement } from "#check/placement";
import { type Database, integer, optionalInteger, type Row, text } from "#service/database";
import type { Sharer } from "#service/rendezvous";
import { between, epochMillis, type EpochMillis } from "#units";

/** What an agent last told of itself; empty until its first heartbeat. */
export interface ToldOfItself {
  readonly hostname: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  readonly monitorCount: number;
  readonly resultsWaiting: number;
  readonly missedSlots: number;
  readonly resultsGivenUp: number;
  readonly resultsRejected: number;
}

/** One agent of a location. */
export interface StoredInstance extends Sharer {
  readonly placement: Placement;
  readonly told: ToldOfItself;
  /** It was heard of lately, and has not left. */
  readonly live: boolean;
}

/** The agents of the locations, apart: several may run one location. */
export class Instances {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Keeps how agents stand. Of more than one location may have, those heard of longest ago are forgotten. */
  keep(locationId: string, sharers: readonly Sharer[], placement: Placement): void {
    for (const sharer of sharers) this.#keepOne(locationId, sharer, placement);
    this.#database.run(
      `DELETE FROM instances WHERE location_id = ? AND instance_id IN
         (SELECT instance_id FROM instances WHERE location_id = ? ORDER BY last_seen_at DESC, instance_id LIMIT -1 OFFSET ?)`,
      locationId,
      locationId,
      limits.instancesListedMax,
    );
  }

  /** An agent that is kept told of itself. */
  told(locationId: string, id: string, told: ToldOfItself): void {
    this.#database.run(
      `UPDATE instances SET hostname = ?, node = ?, labels = ?, version = ?, monitor_count = ?, results_waiting = ?,
         missed_slots = ?, results_given_up = ?, results_rejected = ? WHERE location_id = ? AND instance_id = ?`,
      told.hostname,
      told.node,
      JSON.stringify(told.labels),
      told.version,
      told.monitorCount,
      told.resultsWaiting,
      told.missedSlots,
      told.resultsGivenUp,
      told.resultsRejected,
      locationId,
      id,
    );
  }

  /** Whether an agent has said goodbye. */
  hasLeft(locationId: string, id: string): boolean {
    const row = this.#database.get(
      "SELECT has_left FROM instances WHERE location_id = ? AND instance_id = ?",
      locationId,
      id,
    );
    return row !== null && integer(row, "has_left") === 1;
  }

  /** Live ones first, then by id. */
  of(locationId: string): readonly StoredInstance[] {
    const now = this.#clock.wall();
    return this.#database
      .all("SELECT * FROM instances WHERE location_id = ? ORDER BY instance_id", locationId)
      .map((row) => instanceOf(row, now))
      .toSorted((a, b) => Number(b.live) - Number(a.live));
  }

  forgetOld(): void {
    this.#database.run(
      "DELETE FROM instances WHERE last_seen_at < ?",
      this.#clock.wall() - limits.instancesKeptFor,
    );
  }

  #keepOne(locationId: string, sharer: Sharer, placement: Placement): void {
    this.#database.run(
      `INSERT INTO instances (location_id, instance_id, placement, last_seen_at, has_left, revision, wanted, settled,
         steady_from, hostname, node, version, results_waiting, missed_slots)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', '', 0, 0)
       ON CONFLICT (location_id, instance_id) DO UPDATE SET
         placement = excluded.placement, last_seen_at = excluded.last_seen_at, has_left = excluded.has_left,
         revision = excluded.revision, wanted = excluded.wanted, settled = excluded.settled,
         steady_from = excluded.steady_from`,
      locationId,
      sharer.id,
      placement,
      sharer.lastSeenAt,
      Number(sharer.left),
      sharer.revision,
      Number(sharer.wanted),
      Number(sharer.settled),
      sharer.steadyFrom,
    );
  }
}

function instanceOf(row: Row, now: EpochMillis): StoredInstance {
  const lastSeenAt = epochMillis(integer(row, "last_seen_at"));
  const left = integer(row, "has_left") === 1;
  const steadyFrom = optionalInteger(row, "steady_from");
  return {
    id: text(row, "instance_id"),
    placement: text(row, "placement") === "share" ? "share" : "everywhere",
    lastSeenAt,
    left,
    live: !left && between(lastSeenAt, now) <= limits.heartbeatLostAfter,
    revision: text(row, "revision"),
    wanted: integer(row, "wanted") === 1,
    settled: integer(row, "settled") === 1,
    steadyFrom: steadyFrom === null ? null : epochMillis(steadyFrom),
    told: toldOf(row),
  };
}

function toldOf(row: Row): ToldOfItself {
  const labels: Record<string, string> = JSON.parse(text(row, "labels"));
  return {
    hostname: text(row, "hostname"),
    node: text(row, "node"),
    labels,
    version: text(row, "version"),
    monitorCount: integer(row, "monitor_count"),
    resultsWaiting: integer(row, "results_waiting"),
    missedSlots: integer(row, "missed_slots"),
    resultsGivenUp: integer(row, "results_given_up"),
    resultsRejected: integer(row, "results_rejected"),
  };
}
