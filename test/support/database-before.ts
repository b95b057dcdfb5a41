import { DatabaseSync } from "node:sqlite";
import { create, toBinary } from "@bufbuild/protobuf";
import { BatchResultSchema } from "#contract/private_location/v1/private_location_pb";
import { httpDefaults } from "#check/definition";

/** The tables of the service as they were before it had its store, all steps of then in one. */
const schema = `
  CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')), created_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;
  CREATE TABLE private_locations (id TEXT PRIMARY KEY, name TEXT NOT NULL, metadata TEXT NOT NULL,
    revision TEXT NOT NULL, last_seen_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE location_tokens (hash TEXT PRIMARY KEY,
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE, valid_until INTEGER) STRICT;
  CREATE TABLE monitors (id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('http', 'tcp', 'dns')),
    definition TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE location_monitors (
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    PRIMARY KEY (location_id, monitor_id)) STRICT, WITHOUT ROWID;
  CREATE TABLE results (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL,
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    slot INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL, latency INTEGER NOT NULL,
    started_at INTEGER NOT NULL, status_code INTEGER NOT NULL, failure_code TEXT NOT NULL, failure_phase TEXT NOT NULL,
    payload BLOB NOT NULL, stored_at INTEGER NOT NULL, UNIQUE (location_id, monitor_id, slot)) STRICT;
  CREATE INDEX results_by_monitor ON results (monitor_id, sequence);
  CREATE INDEX results_by_age ON results (stored_at);
  PRAGMA user_version = 4;
`;

/** What the last version before the store had added to those tables. */
const lastSteps = `
  CREATE TABLE monitor_states (
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    slot INTEGER NOT NULL, status TEXT NOT NULL, since INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (location_id, monitor_id)) STRICT, WITHOUT ROWID;
  CREATE TABLE instances (location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    instance_id TEXT NOT NULL, hostname TEXT NOT NULL, PRIMARY KEY (location_id, instance_id)) STRICT, WITHOUT ROWID;
  CREATE TABLE result_counts (location_id TEXT NOT NULL, monitor_id TEXT NOT NULL, status TEXT NOT NULL,
    total INTEGER NOT NULL, PRIMARY KEY (monitor_id, location_id, status)) STRICT, WITHOUT ROWID;
  CREATE TRIGGER result_forgotten AFTER DELETE ON results BEGIN
    UPDATE result_counts SET total = total - 1 WHERE monitor_id = OLD.monitor_id;
  END;
  ALTER TABLE monitors ADD COLUMN status TEXT NOT NULL DEFAULT 'unknown';
  ALTER TABLE monitors ADD COLUMN status_since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE monitors ADD COLUMN judge_at INTEGER DEFAULT 0;
  ALTER TABLE private_locations ADD COLUMN status TEXT NOT NULL DEFAULT 'unknown';
  ALTER TABLE private_locations ADD COLUMN last_seen_by TEXT NOT NULL DEFAULT 'heartbeat';
  ALTER TABLE private_locations ADD COLUMN stopped_at INTEGER;
  CREATE TABLE id_counters (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  ALTER TABLE location_tokens ADD COLUMN sealed TEXT NOT NULL DEFAULT '';
  ALTER TABLE results ADD COLUMN trigger TEXT NOT NULL DEFAULT 'cron' CHECK (trigger IN ('cron', 'api'));
  CREATE TABLE deleted_locations (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 7;
`;

/** The same database as the last version before the store left it, with a location whose results were still going. */
export function databaseLastBefore(
  file: string,
  made: Parameters<typeof databaseBefore>[1],
): Before {
  const before = databaseBefore(file, made);
  using sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  sqlite.exec(lastSteps);
  const [first = "", second = ""] = before.monitors;
  const rename = (table: string, column: string, to: string, from: string): unknown =>
    sqlite.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(to, from);
  for (const table of ["location_monitors", "results"]) rename(table, "monitor_id", "7", second);
  rename("monitors", "id", "7", second);
  sqlite.prepare("UPDATE monitors SET status = 'error', status_since = 60 WHERE id = ?").run(first);
  sqlite.exec(`
    UPDATE private_locations SET stopped_at = 90, last_seen_by = 'call';
    UPDATE location_tokens SET sealed = 'sealed';
    UPDATE results SET trigger = 'api' WHERE slot = ${made.begin};
    INSERT INTO id_counters VALUES ('monitor', 20), ('location', 3);
    INSERT INTO deleted_locations VALUES ('3');
    INSERT INTO results SELECT NULL, id, '3', monitor_id, slot + 1, kind, status, message, latency, started_at,
      status_code, failure_code, failure_phase, payload, stored_at, trigger FROM results;
  `);
  return before;
}

export interface Before {
  readonly monitors: readonly string[];
  readonly location: string;
  readonly results: number;
}

/** A database as that service left it: results of some monitors every 30 s from `begin`, each tenth an error. */
export function databaseBefore(
  file: string,
  { monitors: count, results, begin }: { monitors: number; results: number; begin: number },
): Before {
  using sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
  sqlite.exec(schema);
  sqlite.exec("BEGIN");
  const location = "01890000-0000-7000-8000-00000000000a";
  sqlite
    .prepare(
      "INSERT INTO private_locations VALUES (?, 'office', '{\"site\":\"berlin\"}', 'r1', ?, 1, 2)",
    )
    .run(location, begin);
  sqlite.prepare("INSERT INTO location_tokens VALUES ('token hash', ?, NULL)").run(location);
  const keys = sqlite.prepare("INSERT INTO api_keys VALUES (?, ?, ?, 'read', 5, ?)");
  keys.run("key-1", "ci", "key hash", null);
  keys.run("key-2", "old", "revoked hash", 9);
  const monitors = Array.from(
    { length: count },
    (_, n) => `7d444840-0000-7000-8000-${String(n).padStart(12, "0")}`,
  );
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  };
  for (const id of monitors) {
    sqlite
      .prepare("INSERT INTO monitors VALUES (?, 'http', ?, 3, 4)")
      .run(id, JSON.stringify(definition));
    sqlite.prepare("INSERT INTO location_monitors VALUES (?, ?)").run(location, id);
  }
  const insert = sqlite.prepare(
    `INSERT INTO results (id, location_id, monitor_id, slot, kind, status, message, latency, started_at, status_code,
       failure_code, failure_phase, payload, stored_at) VALUES (?, ?, ?, ?, 'http', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const phases = { dnsNs: 1_000_000n, waitNs: 40_000_000n };
  const payload = toBinary(
    BatchResultSchema,
    create(BatchResultSchema, { detail: { phases, attempts: [{}, {}] } }),
  );
  for (let n = 0; n < results; n += 1) {
    const slot = begin + Math.floor(n / count) * 30_000;
    const isBad = n % 10 === 9;
    insert.run(
      `r${n}`,
      location,
      monitors[n % count] ?? "",
      slot,
      isBad ? "error" : "success",
      isBad ? "nothing listens" : "",
      40,
      slot + 10,
      isBad ? 0 : 200,
      isBad ? "connection_refused" : "",
      isBad ? "connect" : "",
      payload,
      slot + 500,
    );
  }
  sqlite.exec("COMMIT");
  return { monitors, location, results };
}
