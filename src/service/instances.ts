import type { Clock } from "#clock";
import * as limits from "#limits";
import { type Database, integer, type Row, text } from "#service/database";
import { between, epochMillis, type EpochMillis } from "#units";

/** One agent of a location, as it last told of itself. */
export interface StoredInstance {
  readonly id: string;
  readonly hostname: string;
  readonly node: string;
  readonly version: string;
  readonly resultsWaiting: number;
  readonly missedSlots: number;
  readonly resultsGivenUp: number;
  readonly resultsRejected: number;
  readonly lastSeenAt: EpochMillis;
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

  /** An agent told of itself. Of more agents than one location may have, those heard of longest ago are forgotten. */
  heard(
    locationId: string,
    {
      id,
      hostname,
      node,
      version,
      resultsWaiting,
      missedSlots,
      resultsGivenUp,
      resultsRejected,
    }: Omit<StoredInstance, "lastSeenAt" | "live">,
  ): void {
    this.#database.run(
      `INSERT OR REPLACE INTO instances
         (location_id, instance_id, hostname, node, version, results_waiting, missed_slots,
          results_given_up, results_rejected, last_seen_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      locationId,
      id,
      hostname,
      node,
      version,
      resultsWaiting,
      missedSlots,
      resultsGivenUp,
      resultsRejected,
      this.#clock.wall(),
    );
    this.#database.run(
      `DELETE FROM instances WHERE location_id = ? AND instance_id IN
         (SELECT instance_id FROM instances WHERE location_id = ? ORDER BY last_seen_at DESC, instance_id LIMIT -1 OFFSET ?)`,
      locationId,
      locationId,
      limits.instancesListedMax,
    );
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
}

function instanceOf(row: Row, now: EpochMillis): StoredInstance {
  const lastSeenAt = epochMillis(integer(row, "last_seen_at"));
  return {
    id: text(row, "instance_id"),
    hostname: text(row, "hostname"),
    node: text(row, "node"),
    version: text(row, "version"),
    resultsWaiting: integer(row, "results_waiting"),
    missedSlots: integer(row, "missed_slots"),
    resultsGivenUp: integer(row, "results_given_up"),
    resultsRejected: integer(row, "results_rejected"),
    lastSeenAt,
    live: between(lastSeenAt, now) <= limits.heartbeatLostAfter,
  };
}
