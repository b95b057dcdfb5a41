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
