import { definitionIn } from "#service/store/verbs/written-definition";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type MonitorDefinition, periodicities } from "#check/definition";
import { noPhases } from "#check/outcome";
import {
  integerOf,
  type LocationId,
  locationId,
  type MonitorId,
  monitorId,
} from "#service/store/ids";
import {
  blob,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  type SqlValue,
  text,
} from "#service/store/sql";
import { openForWriting } from "#service/store/sqlite/database-file";
import { type OldRows, openOld, rowsOf } from "#service/store/sqlite/old-database";
import { sqlOn } from "#service/store/sqlite/sqlite-sql";
import * as storeLimits from "#limits/store-limits";
import { insertResults } from "#service/store/verbs/append-results";
import type { DatedResult } from "#service/store/verbs/dated-result";
import { newRevision } from "#service/store/verbs/assignment-changes";
import { statuses } from "#service/store/verbs/result-rows";
import { epochMillis, millis, seconds } from "#base/units";
import { ownIn, phasesIn } from "#wire/read-phases";
import { messageOf } from "#wire/report";

/**
 * Makes a database of this shape out of one that the service wrote before it had this store: monitors, locations,
 * tokens and keys keep their old ids as `uid`, and hours and days are calculated from the results that are there. All of it
 * happens in a new file next to the old one, which takes its place in one step at the end, so that a kill at any instant
 * leaves one or the other whole. The old one stays next to it, as FILE.before.
 */
export async function bringOver(file: string, say: (sentence: string) => void): Promise<void> {
  const fresh = `${file}.new`;
  for (const end of ["", "-wal", "-shm"]) rmSync(`${fresh}${end}`, { force: true });
  {
    using old = openOld(file);
    say("the database gets its new shape, which may take minutes");
    using sqlite = openForWriting(fresh);
    // What is lost by a power cut now is made again.
    sqlite.exec("PRAGMA synchronous = OFF");
    await copyAll(old, sqlite, say);
    sqlite.exec("PRAGMA synchronous = FULL");
  }
  makeDurable(fresh);
  rmSync(`${file}.before`, { force: true });
  linkSync(file, `${file}.before`);
  renameSync(fresh, file);
  makeDurable(path.dirname(file));
  say(`the database has its new shape; the old one is ${file}.before, and can be deleted`);
}

function makeDurable(place: string): void {
  const opened = openSync(place, "r");
  fsyncSync(opened);
  closeSync(opened);
}

async function copyAll(
  old: DatabaseSync,
  sqlite: DatabaseSync,
  say: (sentence: string) => void,
): Promise<void> {
  const copy: Copy = {
    old: rowsOf(old),
    sql: sqlOn(sqlite, () => {}),
    periods: new Map(),
  };
  sqlite.exec("BEGIN");
  const monitors = await copyMonitors(copy);
  const locations = await copyLocations(copy);
  await copyRest(copy, monitors, locations);
  await keepCounting(copy);
  sqlite.exec("COMMIT");
  await copyResults(copy, sqlite, { monitors, locations, say });
}

interface CopiedObjects {
  readonly monitors: Awaited<ReturnType<typeof copyMonitors>>;
  readonly locations: Awaited<ReturnType<typeof copyLocations>>;
  readonly say: (sentence: string) => void;
}

/** Results are most of it: each portion is a transaction, so that no journal grows as large as the database. */
async function copyResults(
  copy: Copy,
  sqlite: DatabaseSync,
  { monitors, locations, say }: CopiedObjects,
): Promise<void> {
  const [count] = copy.old("SELECT COUNT(*) AS count FROM results");
  const total = integer(count, "count");
  say(`the database gets its new shape: ${total} results are copied`);
  let done = 0;
  let reportedAt = 0;
  for (const row of copy.old("SELECT DISTINCT location_id, monitor_id FROM results")) {
    const monitor = monitors.get(text(row, "monitor_id"));
    const location = locations.get(text(row, "location_id"));
    if (monitor === undefined || location === undefined) continue;
    let after = -1;
    for (;;) {
      const rows = copy.old(portion, text(row, "location_id"), text(row, "monitor_id"), after);
      if (rows.length === 0) break;
      sqlite.exec("BEGIN");
      const period = copy.periods.get(monitor) ?? seconds(30);
      const results = rows.map((one) => resultOf(one, { monitor, period }));
      await insertResults(copy.sql, location, results);
      sqlite.exec("COMMIT");
      after = integer(rows.at(-1), "slot");
      done += rows.length;
      if (done - reportedAt < storeLimits.migrationReportedEvery) continue;
      reportedAt = done;
      say(`the database gets its new shape: ${done} of ${total} results`);
    }
  }
}

const portion = `SELECT * FROM results WHERE location_id = ? AND monitor_id = ? AND slot > ?
  ORDER BY slot LIMIT ${storeLimits.broughtOverAtOnce}`;

const keysThatWork = "SELECT * FROM api_keys WHERE revoked_at IS NULL ORDER BY created_at, id";

interface Copy {
  readonly old: OldRows;
  readonly sql: Sql;
  readonly periods: Map<MonitorId, DatedResult["period"]>;
}

/** Inserts a row by its columns, and gives its id. */
async function insert(
  sql: Sql,
  table: string,
  columns: Readonly<Record<string, SqlValue>>,
  returned: string,
): Promise<number> {
  const names = Object.keys(columns);
  const [row] = await sql.all(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) RETURNING ${returned}`,
    Object.values(columns),
  );
  return integer(row, returned);
}

async function copyMonitors({ old, sql, periods }: Copy): Promise<Map<string, MonitorId>> {
  const ids = new Map<string, MonitorId>();
  for (const row of integersFirst(old("SELECT * FROM monitors ORDER BY rowid"))) {
    const definition: MonitorDefinition = definitionIn(text(row, "definition"));
    const columns = {
      ...namesOf(row),
      kind: text(row, "kind"),
      active: Number(definition.active),
      definition: text(row, "definition"),
      owner: "",
      labels: "{}",
      revision: 1,
      created_at: integer(row, "created_at"),
      updated_at: integer(row, "updated_at"),
    };
    const id = monitorId(await insert(sql, "monitors", columns, "id"));
    ids.set(text(row, "id"), id);
    const state = { status: text(row, "status"), since: integer(row, "status_since") };
    const judged = { monitor: id, ...state, judge_at: 0, memory: "" };
    await insert(sql, "states", judged, "monitor");
    periods.set(id, periodicities[definition.periodicity] ?? seconds(30));
  }
  return ids;
}

async function copyLocations({ old, sql }: Copy): Promise<Map<string, LocationId>> {
  const ids = new Map<string, LocationId>();
  for (const row of integersFirst(old("SELECT * FROM private_locations ORDER BY rowid"))) {
    const columns = {
      ...namesOf(row),
      name: text(row, "name"),
      metadata: text(row, "metadata"),
      owner: "",
      labels: "{}",
      // Another one than before: what an agent is given now has other ids.
      revision: newRevision(),
      instances_version: 0,
      last_seen_at: optionalInteger(row, "last_seen_at"),
      last_seen_by: text(row, "last_seen_by") === "call" ? "call" : "heartbeat",
      stopped_at: optionalInteger(row, "stopped_at"),
      created_at: integer(row, "created_at"),
      updated_at: integer(row, "updated_at"),
    };
    ids.set(text(row, "id"), locationId(await insert(sql, "locations", columns, "id")));
  }
  return ids;
}

/** What has an integer for an id keeps it; the others get later ones, and have theirs as `uid`. */
const integersFirst = (rows: readonly Row[]): readonly Row[] => [
  ...rows.filter((row) => integerOf(text(row, "id")) !== null),
  ...rows.filter((row) => integerOf(text(row, "id")) === null),
];
function namesOf(row: Row): Readonly<Record<string, SqlValue>> {
  const id = integerOf(text(row, "id"));
  return id === null ? { uid: text(row, "id") } : { id, uid: "" };
}

/** Instances are left out: each says what it is with its next heartbeat. */
async function copyRest(
  { old, sql }: Copy,
  monitors: ReadonlyMap<string, MonitorId>,
  locations: ReadonlyMap<string, LocationId>,
): Promise<void> {
  for (const row of old("SELECT * FROM location_monitors")) {
    const monitor = monitors.get(text(row, "monitor_id")) ?? null;
    const location = locations.get(text(row, "location_id")) ?? null;
    await insert(sql, "assignments", { location, monitor }, "monitor");
  }
  for (const row of old("SELECT * FROM location_tokens")) {
    const location = locations.get(text(row, "location_id")) ?? null;
    const valid_until = optionalInteger(row, "valid_until");
    // Of most there is no copy to show: only the hash was kept.
    const sealed = text(row, "sealed");
    const columns = { hash: text(row, "hash"), location, sealed, created_at: 0, valid_until };
    await insert(sql, "location_tokens", columns, "location");
  }
  for (const row of integersFirst(old(keysThatWork)))
    await insert(
      sql,
      "api_keys",
      {
        ...namesOf(row),
        name: text(row, "name"),
        description: "",
        scope: text(row, "scope"),
        prefix: "",
        hash: text(row, "hash"),
        created_at: integer(row, "created_at"),
      },
      "id",
    );
}

/** Ids of what was deleted are not used again. */
async function keepCounting({ old, sql }: Copy): Promise<void> {
  const [there] = old("SELECT 1 AS one FROM sqlite_schema WHERE name = 'id_counters'");
  if (there === undefined) return;
  const tables: Readonly<Record<string, string>> = {
    monitor: "monitors",
    location: "locations",
    key: "api_keys",
  };
  for (const row of old("SELECT kind, last FROM id_counters")) {
    const table = tables[text(row, "kind")] ?? "";
    const last = integer(row, "last");
    // A table that nothing was inserted into has no row yet.
    await sql.run(
      "INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)",
      [table, table],
    );
    await sql.run("UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?", [last, table]);
  }
}

function resultOf(row: Row, series: Pick<DatedResult, "monitor" | "period">): DatedResult {
  const payload = blob(row, "payload");
  const message = messageOf(payload);
  const code = text(row, "failure_code");
  return {
    ...series,
    slot: epochMillis(integer(row, "slot")),
    status: statuses.find((word) => word === text(row, "status")) ?? "error",
    latency: millis(integer(row, "latency")),
    startedAt: epochMillis(integer(row, "started_at")),
    storedAt: epochMillis(integer(row, "stored_at")),
    statusCode: integer(row, "status_code"),
    failure: code === "" ? null : { code, phase: text(row, "failure_phase") },
    phases: message === null ? noPhases : phasesIn(message),
    own: message === null ? null : ownIn(message),
    // They are of versions that had no pings.
    echoes: null,
    attempts: message?.detail?.attempts.length ?? 0,
    trigger: text(row, "trigger") === "api" ? "api" : "cron",
    perhapsSlow: false,
    excuse: null,
    certificate: null,
    detail: { message: text(row, "message"), payload },
  };
}
