import { randomBytes } from "node:crypto";
import type { Clock } from "#clock";
import { periodicities } from "#check/definition";
import * as limits from "#limits";
import { hashCredential } from "#service/credential";
import { type Database, integer, optionalInteger, type Row, text } from "#service/database";
import { because, noLocation, noMonitor, Refusal, refuseViolations } from "#service/call-refusal";
import {
  type LocationSigns,
  type LocationState,
  locationState,
} from "#service/judge/location-state";
import { LocationTokens } from "#service/location-tokens";
import { nextId } from "#service/next-id";
import type { SecretBox } from "#service/secret-box";
import { epochMillis, type EpochMillis, type Millis } from "#units";

/** What an agent is told of its location; read at each call, so without the monitors. */
export interface AgentLocation {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly revision: string;
}

export interface StoredLocation extends AgentLocation {
  readonly monitorIds: readonly string[];
  readonly state: LocationState;
  readonly lastSeenAt: EpochMillis | null;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

export interface LocationArguments {
  readonly name: string;
  readonly monitorIds: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** What belongs to a location beside its results: some rows for each of its monitors, tokens and agents. */
const besideResults = [
  "location_tokens",
  "location_monitors",
  "monitor_states",
  "instances",
  "result_counts",
];

/** Private locations: their monitors, their tokens, and when an agent of theirs was last heard of. */
export class Locations {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly tokens: LocationTokens;

  constructor(database: Database, clock: Clock, box: SecretBox) {
    this.#database = database;
    this.#clock = clock;
    this.tokens = new LocationTokens(database, clock, box);
  }

  /** The token is in this answer and nowhere else. */
  create(wanted: LocationArguments): { readonly id: string; readonly token: string } {
    this.#refuse(wanted);
    if (this.count() >= limits.serviceLocationsMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceLocationsMax} private locations already`,
      );
    const id = nextId(this.#database, "location");
    const now = this.#clock.wall();
    const token = this.#database.transaction(() => {
      this.#database.run(
        `INSERT INTO private_locations (id, name, metadata, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
        id,
        wanted.name,
        JSON.stringify(wanted.metadata),
        newRevision(),
        now,
        now,
      );
      this.#assign(id, wanted.monitorIds);
      return this.tokens.make(id);
    });
    return { id, token };
  }

  /** What is left out stays as it is. */
  update(id: string, changes: Partial<LocationArguments>): void {
    const current = this.get(id);
    const wanted = { ...current, ...changes };
    // What stays was let pass before, perhaps by other limits.
    this.#refuse({ name: wanted.name, monitorIds: [], metadata: {}, ...changes });
    this.#database.transaction(() => {
      this.#database.run(
        "UPDATE private_locations SET name = ?, metadata = ?, revision = ?, updated_at = ? WHERE id = ?",
        wanted.name,
        JSON.stringify(wanted.metadata),
        newRevision(),
        this.#clock.wall(),
        id,
      );
      if (changes.monitorIds !== undefined) this.#assign(id, changes.monitorIds);
    });
  }

  /** Its results go some at a time, because nothing is answered while a million rows are deleted. */
  delete(id: string): void {
    this.#database.withoutCascades(() => {
      this.#database.run(
        `UPDATE monitors SET judge_at = 0
         WHERE id IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)`,
        id,
      );
      if (this.#database.run("DELETE FROM private_locations WHERE id = ?", id) === 0)
        throw noLocation(id);
      for (const table of besideResults)
        this.#database.run(`DELETE FROM ${table} WHERE location_id = ?`, id);
      this.#database.run("INSERT INTO deleted_locations VALUES (?)", id);
    });
  }

  get(id: string): StoredLocation {
    const row = this.#database.get("SELECT * FROM private_locations WHERE id = ?", id);
    if (row === null) throw noLocation(id);
    return this.#locationOf(row);
  }

  list(limit: number, offset: number): readonly StoredLocation[] {
    return this.#database
      .all("SELECT * FROM private_locations ORDER BY rowid LIMIT ? OFFSET ?", limit, offset)
      .map((row) => this.#locationOf(row));
  }

  count(): number {
    return integer(
      this.#database.get("SELECT COUNT(*) AS count FROM private_locations") ?? {},
      "count",
    );
  }

  /** The location that a token belongs to; refused when it is missing, unknown or no longer valid. */
  authenticate(token: string | null): AgentLocation {
    if (token === null || token === "")
      throw new Refusal(
        "unauthenticated",
        "the header with the location's token is missing",
        because("TOKEN_REQUIRED"),
      );
    const location = this.ofToken(hashCredential(token));
    if (location === null)
      throw new Refusal(
        "unauthenticated",
        "the location's token is unknown or no longer valid",
        because("TOKEN_INVALID"),
      );
    return location;
  }

  /** The location of a token that works, by the token's hash. */
  ofToken(hash: string): AgentLocation | null {
    const row = this.#database.get(
      `SELECT id, name, metadata, revision FROM location_tokens JOIN private_locations ON private_locations.id = location_id
       WHERE hash = ? AND (valid_until IS NULL OR valid_until > ?)`,
      hash,
      this.#clock.wall(),
    );
    return row === null ? null : toldOf(row);
  }

  hasMonitor(id: string, monitorId: string): boolean {
    const sql = "SELECT 1 FROM location_monitors WHERE location_id = ? AND monitor_id = ?";
    return this.#database.get(sql, id, monitorId) !== null;
  }

  /** An agent of the location was heard of. */
  seen(id: string, by: LocationSigns["lastSeenBy"]): void {
    this.#database.run(
      "UPDATE private_locations SET last_seen_at = ?, last_seen_by = ?, stopped_at = NULL WHERE id = ?",
      this.#clock.wall(),
      by,
      id,
    );
  }

  /** An empty pull: of an agent without heartbeats, or of a person; where agents send heartbeats, those count. */
  pulled(id: string): void {
    this.#database.run(
      `UPDATE private_locations SET last_seen_at = ?, last_seen_by = 'call'
       WHERE id = ? AND (last_seen_at IS NULL OR last_seen_by = 'call')`,
      this.#clock.wall(),
      id,
    );
  }

  /** An agent that has said goodbye still reports what it knows. */
  seenLeaving(id: string): void {
    this.#database.run(
      "UPDATE private_locations SET last_seen_at = ? WHERE id = ?",
      this.#clock.wall(),
      id,
    );
  }

  /** The last agent of the location has said goodbye. */
  stopped(id: string): void {
    const now = this.#clock.wall();
    this.#database.run(
      "UPDATE private_locations SET last_seen_at = ?, stopped_at = ? WHERE id = ?",
      now,
      now,
      id,
    );
  }

  ids(): readonly string[] {
    return this.#database.all("SELECT id FROM private_locations").map((row) => text(row, "id"));
  }

  /** Keeps what a location's state is; the monitors of one that has fallen silent, or is back, are due to be judged. */
  judge(id: string): void {
    const row = this.#database.get(
      `SELECT status, ${signs} FROM private_locations WHERE id = ?`,
      id,
    );
    if (row === null) return;
    const { status } = this.#stateOf(id, row);
    if (status === text(row, "status")) return;
    this.#database.run("UPDATE private_locations SET status = ? WHERE id = ?", status, id);
    this.#database.run(
      `UPDATE monitors SET judge_at = 0
       WHERE id IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)`,
      id,
    );
  }

  /** What a monitor's locations see has changed, and so may what is said of it. */
  monitorChanged(monitorId: string): void {
    this.#database.run("UPDATE monitors SET judge_at = 0 WHERE id = ?", monitorId);
    this.#database.run(
      `UPDATE private_locations SET revision = ? WHERE id IN (SELECT location_id FROM location_monitors WHERE monitor_id = ?)`,
      newRevision(),
      monitorId,
    );
  }

  #assign(id: string, monitorIds: readonly string[]): void {
    this.#database.run("DELETE FROM location_monitors WHERE location_id = ?", id);
    for (const monitorId of new Set(monitorIds))
      this.#database.run(
        "INSERT INTO location_monitors (location_id, monitor_id) VALUES (?, ?)",
        id,
        monitorId,
      );
    // What an unassigned monitor was last seen as says nothing any more, so it is judged anew.
    this.#database.run(
      `UPDATE monitors SET judge_at = 0 WHERE id IN (SELECT monitor_id FROM monitor_states WHERE location_id = ?)`,
      id,
    );
    this.#database.run(
      `DELETE FROM monitor_states WHERE location_id = ?
       AND monitor_id NOT IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)`,
      id,
      id,
    );
  }

  #refuse({ name, monitorIds, metadata }: LocationArguments): void {
    const violations: { field: string; message: string }[] = [];
    const violate = (field: string, message: string): void =>
      void violations.push({ field, message });
    if (name === "") violate("name", "is required");
    if (name.length > limits.nameCharsMax)
      violate("name", `is longer than ${limits.nameCharsMax} characters`);
    const labels = Object.entries(metadata);
    if (labels.length > limits.locationLabelsMax)
      violate("metadata", `has ${labels.length} labels, more than ${limits.locationLabelsMax}`);
    if (labels.some(([label]) => label === "" || label.length > limits.locationLabelCharsMax))
      violate(
        "metadata",
        `has a label whose name has not 1 to ${limits.locationLabelCharsMax} characters`,
      );
    if (labels.some(([, value]) => value.length > limits.locationValueCharsMax))
      violate(
        "metadata",
        `has a value that is longer than ${limits.locationValueCharsMax} characters`,
      );
    const assigned = new Set(monitorIds);
    if (assigned.size > limits.monitorsPerAgentMax)
      violate(
        "monitor_ids",
        `has ${assigned.size} entries, more than the ${limits.monitorsPerAgentMax} that one agent runs`,
      );
    refuseViolations(violations);
    for (const monitorId of assigned)
      if (this.#database.get("SELECT 1 FROM monitors WHERE id = ?", monitorId) === null)
        throw monitorId === "" ? invalidMonitorId : noMonitor(monitorId);
  }

  #stateOf(id: string, row: Row): LocationState {
    const lastSeenBy = text(row, "last_seen_by") === "call" ? "call" : "heartbeat";
    const known = {
      lastSeenBy,
      lastSeenAt: instantOf(row, "last_seen_at"),
      stoppedAt: instantOf(row, "stopped_at"),
    } as const;
    // Only who sends no heartbeats is waited for by the period of the monitors.
    const shortestPeriod = lastSeenBy === "call" ? this.#shortestPeriod(id) : null;
    return locationState({ ...known, shortestPeriod }, this.#clock.wall());
  }

  #shortestPeriod(id: string): Millis | null {
    const words = this.#database.all(
      `SELECT DISTINCT json_extract(definition, '$.periodicity') AS word FROM monitors
       WHERE id IN (SELECT monitor_id FROM location_monitors WHERE location_id = ?)
       AND json_extract(definition, '$.active') = 1`,
      id,
    );
    const periods = words.flatMap((row) => periodicities[text(row, "word")] ?? []);
    return periods.reduce<Millis | null>(
      (least, one) => (least === null || one < least ? one : least),
      null,
    );
  }

  #locationOf(row: Row): StoredLocation {
    const told = toldOf(row);
    return {
      ...told,
      monitorIds: this.#database
        .all(
          "SELECT monitor_id FROM location_monitors WHERE location_id = ? ORDER BY monitor_id",
          told.id,
        )
        .map((one) => text(one, "monitor_id")),
      state: this.#stateOf(told.id, row),
      lastSeenAt: instantOf(row, "last_seen_at"),
      createdAt: epochMillis(integer(row, "created_at")),
      updatedAt: epochMillis(integer(row, "updated_at")),
    };
  }
}

function toldOf(row: Row): AgentLocation {
  const metadata: Record<string, string> = JSON.parse(text(row, "metadata"));
  return {
    id: text(row, "id"),
    name: text(row, "name"),
    metadata,
    revision: text(row, "revision"),
  };
}

/** The columns that say what is known of a location's agents. */
const signs = "last_seen_at, last_seen_by, stopped_at";

const instantOf = (row: Row, column: string): EpochMillis | null => {
  const value = optionalInteger(row, column);
  return value === null ? null : epochMillis(value);
};

const invalidMonitorId = new Refusal(
  "invalid_argument",
  "monitor_ids holds an empty id",
  because("INVALID_MONITOR_ID"),
);

/** Revisions are only compared for being the same, so that a database put back from a backup cannot repeat one. */
const newRevision = (): string => randomBytes(9).toString("base64url");
