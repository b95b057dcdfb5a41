import { altersEach, subjects, unaudited } from "#service/store/audit/audited";
import * as storeLimits from "#limits/store-limits";
import { type MonitorId, monitorId } from "#service/store/ids";
import {
  allAmong,
  insertRows,
  integer,
  optionalInstant,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import { packsDetails } from "#service/store/packing/packed-tables";
import type { Leases } from "#service/store/lease-store";
import { keptMailServer, mailServerSetting } from "#service/store/kept-mail-server";
import type { JudgedShare, Settings, StateRow, States } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis, type Millis } from "#base/units";

const ownSetting = altersEach(async (_sql, name: string) => subjects("setting", [name]));

/** Facts of the installation by name. */
export const settings: VerbsOf<Settings> = {
  all: reads("settings.all", async (sql): Promise<ReadonlyMap<string, string>> => {
    const rows = await sql.all("SELECT name, value FROM settings");
    return new Map(rows.map((row) => [text(row, "name"), text(row, "value")]));
  }),
  put: writes("settings.put", null, ownSetting, put),
  note: writes("settings.note", null, unaudited("no person did it"), put),
  remove: writes(
    "settings.remove",
    null,
    ownSetting,
    async (sql, name: string): Promise<boolean> => {
      return (await sql.run("DELETE FROM settings WHERE name = ?", [name])) === 1;
    },
  ),
  hasSealed: reads("settings.hasSealed", async (sql): Promise<boolean> => {
    for (const table of sealing)
      if ((await sql.all(`SELECT 1 AS one FROM ${table} WHERE sealed <> '' LIMIT 1`)).length > 0)
        return true;
    const mailServer = "SELECT value FROM settings WHERE name = ?";
    const rows = await sql.all(mailServer, [mailServerSetting]);
    return rows.some((row) => keptMailServer(text(row, "value")).sealed !== "");
  }),
};

async function put(sql: Sql, name: string, value: string): Promise<void> {
  await sql.run(
    "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );
}

/** The tables with a column of sealed texts. */
const sealing = [
  "location_tokens",
  "channels",
  "pages",
  "page_subscribers",
  "page_letters",
  "accounts",
];

/** Work that one replica at a time may do. */
export const leases: VerbsOf<Leases> = {
  hold: writes("leases.hold", null, unaudited("replicas share their work"), hold),
  release: writes("leases.release", null, unaudited("replicas share their work"), release),
  holders: reads("leases.holders", async (sql, length: Millis) => {
    const rows = await sql.all(
      `SELECT holder FROM replicas WHERE seen_at > ${sql.words.now} - ?
         AND NOT (${sql.words.hasEnded("session")}) ORDER BY holder`,
      [length],
    );
    return rows.map((row) => text(row, "holder"));
  }),
};

async function release(sql: Sql, holder: string): Promise<void> {
  await sql.run("DELETE FROM leases WHERE holder = ?", [holder]);
  await sql.run("DELETE FROM replicas WHERE holder = ?", [holder]);
}

async function hold(
  sql: Sql,
  holder: string,
  names: readonly string[],
  length: Millis,
): Promise<readonly string[]> {
  const { now } = sql.words;
  await sql.run(
    `INSERT INTO replicas (holder, seen_at, packs, session) VALUES (?, ${now}, ${packsDetails}, ?)
     ON CONFLICT (holder) DO UPDATE
       SET seen_at = excluded.seen_at, packs = excluded.packs, session = excluded.session`,
    [holder, sql.session],
  );
  await releaseEnded(sql, holder);
  await sql.run(`DELETE FROM replicas WHERE seen_at < ${now} - ?`, [storeLimits.replicasKeptFor]);
  const held: string[] = [];
  // In one order for every replica, so that two never wait for each other.
  for (const name of names.toSorted()) {
    const rows = await sql.all(
      `INSERT INTO leases (name, holder, held_until) VALUES (?, ?, ${now} + ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
         WHERE leases.holder = excluded.holder OR leases.held_until <= ${now} RETURNING name`,
      [name, holder, length],
    );
    if (rows.length > 0) held.push(name);
  }
  await giveBack(sql, holder, new Set(held));
  return held;
}

/** What replicas had whose process has ended, or that the database does not reach any more, is free at once. */
async function releaseEnded(sql: Sql, own: string): Promise<void> {
  const rows = await sql.all(
    `SELECT holder FROM replicas WHERE holder <> ? AND ${sql.words.hasEnded("session")} ORDER BY holder`,
    [own],
  );
  for (const row of rows) await release(sql, text(row, "holder"));
}

/** What is no longer asked for is free at once. */
async function giveBack(sql: Sql, holder: string, kept: ReadonlySet<string>): Promise<void> {
  const rows = await sql.all("SELECT name FROM leases WHERE holder = ?", [holder]);
  for (const row of rows)
    if (!kept.has(text(row, "name")))
      await sql.run("DELETE FROM leases WHERE holder = ? AND name = ?", [
        holder,
        text(row, "name"),
      ]);
}

/** What the judge last said of each monitor. */
export const states: VerbsOf<States> = {
  of: reads("states.of", async (sql, monitors: readonly MonitorId[]) => {
    const rows = await allAmong(
      sql,
      "SELECT * FROM states WHERE monitor IN (*)",
      [],
      monitors.slice(0, storeLimits.monitorsNamedMax),
    );
    return rows.map(stateOf);
  }),
  notActive: reads("states.notActive", async (sql) => {
    const rows = await sql.all(
      "SELECT monitor, status, since FROM states WHERE status <> 'active'",
    );
    return new Map(
      rows.map((row) => [
        monitorId(integer(row, "monitor")),
        { status: statusIn(row), since: epochMillis(integer(row, "since")) },
      ]),
    );
  }),
  due: reads("states.due", async (sql, now: EpochMillis, share: JudgedShare, limit: number) => {
    const rows = await allAmong(
      sql,
      "SELECT monitor, judge_at FROM states WHERE judge_at <= ? AND monitor % ? IN (*) ORDER BY judge_at, monitor LIMIT ?",
      [now, share.parts],
      share.rests,
      [limit],
    );
    // Of a share that was asked for in several parts, each is in order by itself.
    const inOrder = rows.toSorted(
      (a, b) =>
        integer(a, "judge_at") - integer(b, "judge_at") ||
        integer(a, "monitor") - integer(b, "monitor"),
    );
    return inOrder.slice(0, limit).map((row) => monitorId(integer(row, "monitor")));
  }),
  put: writes("states.put", "states", unaudited("the judge says it"), putStates),
  keepUnturned: writes(
    "states.keepUnturned",
    null,
    unaudited("the judge says it"),
    async (sql, lease: string, holder: string, changed: readonly StateRow[]) =>
      (await hasLease(sql, lease, holder))
        ? changed.length - (await writeStates(sql, changed)).length
        : null,
  ),
};

async function putStates(
  sql: Sql,
  lease: string,
  holder: string,
  changed: readonly StateRow[],
): Promise<readonly MonitorId[]> {
  return (await hasLease(sql, lease, holder)) ? writeStates(sql, changed) : [];
}

/** Whether a replica may say something still; until the transaction ends, no other one may. */
export async function hasLease(sql: Sql, lease: string, holder: string): Promise<boolean> {
  const held = await sql.all(
    `SELECT name FROM leases WHERE name = ? AND holder = ? AND held_until > ${sql.words.now}${sql.words.forUpdate}`,
    [lease, holder],
  );
  return held.length > 0;
}

/** Gives the monitors whose state is kept: none that is gone, or has become due since it was read. */
export async function writeStates(
  sql: Sql,
  changed: readonly StateRow[],
): Promise<readonly MonitorId[]> {
  const there = await allAmong(
    sql,
    "SELECT id FROM monitors WHERE id IN (*)",
    [],
    changed.map(({ monitor }) => monitor),
  );
  const known = new Set(there.map((row) => integer(row, "id")));
  const kept = await insertRows(
    sql,
    "INSERT INTO states (monitor, status, since, judge_at, memory, generation)",
    changed
      .filter(({ monitor }) => known.has(monitor))
      .map((one) => [one.monitor, one.status, one.since, one.judgeAt, one.memory, one.generation]),
    `ON CONFLICT (monitor) DO UPDATE SET status = excluded.status, since = excluded.since,
       judge_at = excluded.judge_at, memory = excluded.memory
     WHERE states.generation = excluded.generation RETURNING monitor`,
  );
  return kept.map((row) => monitorId(integer(row, "monitor")));
}

const words = ["active", "degraded", "error"] as const;
const statusIn = (row: Row): StateRow["status"] =>
  words.find((word) => word === text(row, "status")) ?? "unknown";
const stateOf = (row: Row): StateRow => ({
  monitor: monitorId(integer(row, "monitor")),
  status: statusIn(row),
  since: epochMillis(integer(row, "since")),
  judgeAt: optionalInstant(row, "judge_at"),
  memory: text(row, "memory"),
  generation: integer(row, "generation"),
});
