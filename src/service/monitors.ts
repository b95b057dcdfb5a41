import type { Clock } from "#clock";
import type { MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import type { MonitorStatus } from "#check/monitor-status";
import * as limits from "#limits";
import { type Database, integer, optionalInteger, type Row, text } from "#service/database";
import { because, noMonitor, Refusal, refuseViolations } from "#service/call-refusal";
import { nextId } from "#service/next-id";
import { epochMillis, type EpochMillis } from "#units";
import type { Door } from "#check/findings";
import { violationsOf } from "#check/read-monitor";

const briefColumns = "id, definition, status";
const columns = `${briefColumns}, created_at, updated_at,
  (SELECT MAX(slot) FROM monitor_states WHERE monitor_id = monitors.id) AS newest_slot,
  (SELECT json_group_array(location_id) FROM location_monitors WHERE monitor_id = monitors.id) AS location_ids`;

const assigned = `
  id IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)
  AND json_extract(definition, '$.active') = 1 ORDER BY rowid`;

/** A monitor as thousands of them are read at once. */
export interface BriefMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
  readonly status: MonitorStatus;
}

/** A monitor as the service keeps it. */
export interface StoredMonitor extends BriefMonitor {
  readonly locationIds: readonly string[];
  /** The newest slot that any location has a result of; null where there is none. */
  readonly lastCheckedAt: EpochMillis | null;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

/** The monitors: what they are, and what is assigned where. */
export class Monitors {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onChange: (monitorId: string) => void;

  /** `onChange` is told of a monitor before it is deleted and after it has changed. */
  constructor(database: Database, clock: Clock, onChange: (monitorId: string) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  create(definition: MonitorDefinition, door: Door): { readonly id: string } {
    refuseViolations(violationsOf(definition, door));
    if (this.count() >= limits.serviceMonitorsMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceMonitorsMax} monitors already`,
      );
    const id = nextId(this.#database, "monitor");
    const now = this.#clock.wall();
    this.#database.run(
      "INSERT INTO monitors (id, kind, definition, created_at, updated_at, status_since) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      definition.kind,
      JSON.stringify(definition),
      now,
      now,
      now,
    );
    return { id };
  }

  update(id: string, definition: MonitorDefinition, door: Door): void {
    refuseViolations(violationsOf(definition, door));
    this.#database.transaction(() => {
      const changed = this.#database.run(
        "UPDATE monitors SET definition = ?, updated_at = ? WHERE id = ? AND kind = ?",
        JSON.stringify(definition),
        this.#clock.wall(),
        id,
        definition.kind,
      );
      if (changed === 0) throw noMonitor(id);
      this.#onChange(id);
    });
  }

  delete(id: string): void {
    this.#database.transaction(() => {
      this.#onChange(id);
      if (this.#database.run("DELETE FROM monitors WHERE id = ?", id) === 0) throw noMonitor(id);
    });
  }

  get(id: string): StoredMonitor {
    const row = this.#database.get(`SELECT ${columns} FROM monitors WHERE id = ?`, id);
    if (row === null) throw noMonitor(id);
    return monitorOf(row);
  }

  /** The definition of a monitor of this kind; another kind is refused. */
  definitionOf<K extends Kind>(id: string, kind: K): DefinitionOf<K> {
    const { definition } = this.get(id);
    if (isOfKind(definition, kind)) return definition;
    throw new Refusal(
      "invalid_argument",
      `the monitor is of the kind ${definition.kind}, not ${kind}`,
      because("MONITOR_TYPE_MISMATCH", {
        "monitor-id": id,
        "expected-type": kind,
        "actual-type": definition.kind,
      }),
    );
  }

  list(limit: number, offset: number): readonly StoredMonitor[] {
    return this.#database
      .all(`SELECT ${columns} FROM monitors ORDER BY rowid LIMIT ? OFFSET ?`, limit, offset)
      .map(monitorOf);
  }

  count(): number {
    return integer(this.#database.get("SELECT COUNT(*) AS count FROM monitors") ?? {}, "count");
  }

  /** Every monitor of a location, or of all when `locationId` is empty. */
  inLocation(locationId: string): readonly BriefMonitor[] {
    return this.#database
      .all(
        `SELECT ${briefColumns} FROM monitors
         WHERE ? = '' OR id IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)
         ORDER BY rowid`,
        locationId,
        locationId,
      )
      .map(briefOf);
  }

  /** The active monitors of a location: what its agents run. */
  assignedTo(locationId: string): readonly BriefMonitor[] {
    return this.#database
      .all(`SELECT ${briefColumns} FROM monitors WHERE ${assigned}`, locationId)
      .map(briefOf);
  }

  /** Their ids alone, in the same order. */
  assignedIds(locationId: string): readonly string[] {
    return this.#database
      .all(`SELECT id FROM monitors WHERE ${assigned}`, locationId)
      .map((row) => text(row, "id"));
  }
}

export type DefinitionOf<K extends Kind> = Extract<MonitorDefinition, { kind: K }>;

const isOfKind = <K extends Kind>(
  definition: MonitorDefinition,
  kind: K,
): definition is DefinitionOf<K> => definition.kind === kind;

/** Only what violationsOf let pass is ever written. */
export function definitionIn(row: Row): MonitorDefinition {
  const definition: MonitorDefinition = JSON.parse(text(row, "definition"));
  return definition;
}

const briefOf = (row: Row): BriefMonitor => ({
  id: text(row, "id"),
  definition: definitionIn(row),
  status: statusOf(text(row, "status")),
});

function monitorOf(row: Row): StoredMonitor {
  const locationIds: readonly string[] = JSON.parse(text(row, "location_ids"));
  const newest = optionalInteger(row, "newest_slot");
  return {
    ...briefOf(row),
    locationIds,
    lastCheckedAt: newest === null ? null : epochMillis(newest),
    createdAt: epochMillis(integer(row, "created_at")),
    updatedAt: epochMillis(integer(row, "updated_at")),
  };
}

const statuses = ["active", "degraded", "error"] as const;
export const statusOf = (word: string): MonitorStatus =>
  statuses.find((status) => status === word) ?? "unknown";
