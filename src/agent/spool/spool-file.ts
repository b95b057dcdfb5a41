import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import * as limits from "#limits/spool-limits";
import type { Report } from "#wire/report";
import type { DropReason, SpoolLimits } from "#agent/spool/spool";
import { rowBytes } from "#agent/spool/row-bytes";
import { faultOf, SpoolFault } from "#agent/spool/spool-fault";
import { between, epochMillis, type EpochMillis } from "#base/units";

/** A report as it lies in the file. */
export interface StoredReport {
  readonly sequence: number;
  readonly id: string;
  readonly slot: EpochMillis;
  readonly payload: Uint8Array;
}

/** Reports of a monitor that wait no longer; without a reason, because they were in the file already. */
export interface Departure {
  readonly monitorId: string;
  readonly count: number;
  readonly reason: DropReason | null;
}

/** What one transaction is to do. */
interface SpoolWriting {
  /** Sequences of rows that are done with. */
  readonly settled: Iterable<number>;
  readonly fresh: readonly Report[];
  readonly now: EpochMillis;
}

interface SizedReport {
  readonly report: Report;
  readonly bytes: number;
}

/** "Pick", as SQLite's header field for the program that a file belongs to. */
const applicationId = 0x5069636b;
const schemaVersion = 1;
const schema = `
  CREATE TABLE reports (
    -- The order in which they came: the oldest are dropped first.
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    monitor_id TEXT NOT NULL,
    slot INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    -- A BatchResult of the wire.
    payload BLOB NOT NULL
  ) STRICT;
  CREATE INDEX reports_by_slot ON reports (monitor_id, slot);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** The spool's one file, ours alone while it is open. Its methods throw what SQLite throws. */
export class SpoolFile implements Disposable {
  readonly #sqlite: DatabaseSync;
  readonly #limits: SpoolLimits;
  readonly #statements = new Map<string, StatementSync>();
  /** What all rows count together. */
  #bytes: number;

  private constructor(sqlite: DatabaseSync, spoolLimits: SpoolLimits) {
    this.#sqlite = sqlite;
    this.#limits = spoolLimits;
    this.#bytes = Number(this.#prepared("SELECT total(bytes) AS n FROM reports").get()?.["n"]);
  }

  /** Opens a file, or makes it. Throws a SpoolFault if it is not ours, or damaged, or cannot be used now. */
  static open(file: string, spoolLimits: SpoolLimits): SpoolFile {
    let sqlite: DatabaseSync | null = null;
    try {
      makePrivate(file);
      sqlite = new DatabaseSync(file);
      prepare(sqlite, spoolLimits);
      return new SpoolFile(sqlite, spoolLimits);
    } catch (error) {
      sqlite?.close();
      throw faultOf(error);
    }
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }

  /** How many rows there are of each monitor. */
  counts(): ReadonlyMap<string, number> {
    const sql = "SELECT monitor_id, count(*) AS n FROM reports GROUP BY monitor_id";
    const rows = this.#prepared(sql).all();
    return new Map(rows.map((row) => [String(row["monitor_id"]), Number(row["n"])]));
  }

  /** A monitor's oldest rows in ascending slot order, without those of `except`. */
  oldestOf(monitorId: string, max: number, except: ReadonlySet<number>): readonly StoredReport[] {
    const found: StoredReport[] = [];
    const sql =
      "SELECT sequence, id, slot, payload FROM reports WHERE monitor_id = ? ORDER BY slot, sequence";
    for (const row of this.#prepared(sql).iterate(monitorId)) {
      if (found.length >= max) break;
      const { sequence, id, slot, payload } = row;
      if (except.has(Number(sequence)) || !(payload instanceof Uint8Array)) continue;
      const stored = { sequence: Number(sequence), id: String(id), payload };
      found.push({ ...stored, slot: epochMillis(Number(slot)) });
    }
    return found;
  }

  /** Where a report lies, and whose it is. */
  find(id: string): { readonly sequence: number; readonly monitorId: string } | null {
    const row = this.#prepared("SELECT sequence, monitor_id FROM reports WHERE id = ?").get(id);
    if (row === undefined) return null;
    return { sequence: Number(row["sequence"]), monitorId: String(row["monitor_id"]) };
  }

  /** The slot of the row that came first, without those of `except`. */
  firstSlot(except: ReadonlySet<number>): EpochMillis | null {
    const sql = "SELECT sequence, slot FROM reports ORDER BY sequence";
    for (const { sequence, slot } of this.#prepared(sql).iterate())
      if (!except.has(Number(sequence))) return epochMillis(Number(slot));
    return null;
  }

  /**
   * Deletes what is settled, writes what is fresh, and drops what is too old or has no room, all or nothing; it is
   * durable when this returns. Returns the reports that it dropped.
   */
  write({ settled, fresh, now }: SpoolWriting): readonly Departure[] {
    const bytesBefore = this.#bytes;
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      for (const sequence of settled) this.#delete(sequence);
      const departures = [...this.#giveUpOld(now), ...this.#insert(fresh.map(weighed), now)];
      this.#sqlite.exec("COMMIT");
      return departures;
    } catch (error) {
      this.#bytes = bytesBefore;
      // SQLite has rolled back already where the disk was full.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  /** Gives pages that are free since an outage back to the file system, a few at a time. */
  shrink(): void {
    const free = Number(this.#prepared("PRAGMA freelist_count").get()?.["freelist_count"]);
    if (free > limits.spoolFreePagesMax)
      this.#sqlite.exec(`PRAGMA incremental_vacuum(${limits.spoolShrinkPages})`);
  }

  #delete(sequence: number): void {
    const sql = "DELETE FROM reports WHERE sequence = ? RETURNING bytes";
    this.#bytes -= Number(this.#prepared(sql).get(sequence)?.["bytes"] ?? 0);
  }

  /** Makes room first, so that the file never grows beyond it; what came first goes first: old rows, then these. */
  #insert(fresh: readonly SizedReport[], now: EpochMillis): readonly Departure[] {
    const { bytesMax, ageMax } = this.#limits;
    const tooOld = ({ report }: SizedReport): boolean => between(report.slot, now) > ageMax;
    const [old, rest] = this.#bytes > 0 ? [[], fresh] : splitWhere(fresh, (one) => !tooOld(one));
    let incoming = rest.reduce((sum, { bytes }) => sum + bytes, 0);
    const displaced = this.#giveUpForRoom(incoming);
    const [crowded, fitting] = splitWhere(rest, ({ bytes }) => {
      if (incoming <= bytesMax) return true;
      incoming -= bytes;
      return false;
    });
    return [
      ...old.map(departed("age")),
      ...displaced,
      ...crowded.map(departed("room")),
      ...fitting.flatMap((one) => this.#insertOne(one)),
    ];
  }

  #insertOne(one: SizedReport): readonly Departure[] {
    const { report, bytes } = one;
    const sql =
      "INSERT OR IGNORE INTO reports (id, monitor_id, slot, bytes, payload) VALUES (?, ?, ?, ?, ?)";
    const { id, monitorId, slot, payload } = report;
    const { changes } = this.#prepared(sql).run(id, monitorId, slot, bytes, payload);
    if (changes === 0) return [departed(null)(one)];
    this.#bytes += bytes;
    return [];
  }

  #giveUpOld(now: EpochMillis): readonly Departure[] {
    const sql = "SELECT sequence FROM reports WHERE slot >= ? ORDER BY sequence LIMIT 1";
    const first = this.#prepared(sql).get(now - this.#limits.ageMax)?.["sequence"];
    return this.#giveUpBefore(first === undefined ? Infinity : Number(first), "age");
  }

  /** So many that this much more fits, or all. */
  #giveUpForRoom(incoming: number): readonly Departure[] {
    let excess = this.#bytes + incoming - this.#limits.bytesMax;
    if (excess <= 0) return [];
    const sql = "SELECT sequence, bytes FROM reports ORDER BY sequence";
    for (const { sequence, bytes } of this.#prepared(sql).iterate()) {
      if (excess <= 0) return this.#giveUpBefore(Number(sequence), "room");
      excess -= Number(bytes);
    }
    return this.#giveUpBefore(Infinity, "room");
  }

  #giveUpBefore(end: number, reason: DropReason): readonly Departure[] {
    const sql = `SELECT monitor_id, count(*) AS n, sum(bytes) AS bytes FROM reports
      WHERE sequence < ? GROUP BY monitor_id`;
    const departures = this.#prepared(sql)
      .all(end)
      .map((row) => {
        this.#bytes -= Number(row["bytes"]);
        return { monitorId: String(row["monitor_id"]), count: Number(row["n"]), reason };
      });
    if (departures.length > 0) this.#prepared("DELETE FROM reports WHERE sequence < ?").run(end);
    return departures;
  }

  #prepared(sql: string): StatementSync {
    return this.#statements.getOrInsertComputed(sql, () => this.#sqlite.prepare(sql));
  }
}

const weighed = (report: Report): SizedReport => ({
  report,
  bytes: rowBytes(report.payload.byteLength),
});

const departed =
  (reason: Departure["reason"]) =>
  ({ report }: SizedReport): Departure => ({ monitorId: report.monitorId, count: 1, reason });

/** What comes before the first that `test` holds for, and the rest from there on. */
function splitWhere<T>(all: readonly T[], test: (one: T) => boolean): [readonly T[], readonly T[]] {
  const at = all.findIndex(test);
  return at < 0 ? [all, []] : [all.slice(0, at), all.slice(at)];
}

/**
 * Results may quote what a target answered, so only the owner reads them; SQLite's side files follow the file's mode. It
 * is never opened here when it is there: closing it would take away the lock of another spool in this process.
 */
function makePrivate(file: string): void {
  if (existsSync(file)) return chmodSync(file, 0o600);
  closeSync(openSync(file, "wx", 0o600));
}

/** Makes sure that the file is ours and whole, and takes it: no other connection reads or writes it from here on. */
function prepare(sqlite: DatabaseSync, { bytesMax }: SpoolLimits): void {
  const pragma = (name: string): unknown =>
    Object.values(sqlite.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  sqlite.exec("PRAGMA locking_mode = EXCLUSIVE");
  const empty = sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  // What turns out not to be ours is set aside as it was: looking comes before writing.
  if (!empty) {
    if (pragma("application_id") !== applicationId) throw new SpoolFault("foreign");
    if (Number(pragma("user_version")) > schemaVersion) throw new SpoolFault("newer");
    const found = pragma("quick_check(1)");
    if (found !== "ok") throw new SpoolFault("corrupt", new Error(String(found)));
  }
  // How a file shrinks can be set only while it has no tables.
  if (empty) sqlite.exec("PRAGMA auto_vacuum = INCREMENTAL");
  // FULL, because a result counts as kept once its transaction is on the disk.
  sqlite.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
     PRAGMA journal_size_limit = ${limits.spoolJournalBytesMax};`,
  );
  const fileBytesMax = Math.max(bytesMax * limits.spoolFileShareMax, limits.spoolFileBytesMin);
  sqlite.exec(`PRAGMA max_page_count = ${Math.ceil(fileBytesMax / Number(pragma("page_size")))}`);
  // Takes the lock for good, also if there is nothing to write.
  sqlite.exec(`BEGIN IMMEDIATE; ${empty ? schema : ""} COMMIT;`);
}
