import { randomUUIDv7 } from "node:crypto";
import { type Stats, statfsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import * as storeLimits from "#limits/store-limits";
import { migrations } from "#service/store/migrations";
import { statementsOf } from "#service/store/sql";
import { makePrivate } from "#service/store/sqlite/database-lock";
import { fullSentence, movedSentence } from "#service/store/sqlite/sqlite-fault";
import { StoreFault } from "#service/store/store-fault";

/** "PicS", as SQLite's header field for the program that a file belongs to. */
const applicationId = 0x50696353;
/** A Picket of before this shape counted its steps from 1: it says that a newer one wrote the file, and leaves it. */
const versionBase = 100;

/** What a file is. `before` is the shape that the service had before this store: see the migration of it. */
type FileShape = "new" | "before" | "ours";

export function shapeOf(file: string): FileShape {
  using sqlite = new DatabaseSync(file, { timeout: storeLimits.databaseBusyTimeout });
  const found = (name: string): boolean =>
    sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined;
  if (numberOf(sqlite, "application_id") === applicationId) return "ours";
  if (found("private_locations") && found("results")) return "before";
  if (sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) return "new";
  throw new StoreFault(
    "store_broken",
    `${file} is a database of another program: give the service its own file`,
  );
}

/** Opens a database that is written, and brings it to the newest shape. */
export function openForWriting(file: string): DatabaseSync {
  makePrivate(file);
  const sqlite = new DatabaseSync(file, { timeout: storeLimits.databaseBusyTimeout });
  try {
    // FULL, because a result that was acknowledged is forgotten by the agent.
    sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -${storeLimits.storeWriterCacheKibibytes}; PRAGMA wal_autocheckpoint = ${storeLimits.storeJournalPages};
      PRAGMA journal_size_limit = ${storeLimits.storeJournalBytesMax};`);
    migrate(sqlite, file);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return sqlite;
}

export function openForReading(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, {
    readOnly: true,
    timeout: storeLimits.databaseBusyTimeout,
  });
  sqlite.exec(`PRAGMA cache_size = -${storeLimits.storeReaderCacheKibibytes}`);
  return sqlite;
}

/** Another process may be at the same steps: each is looked for again once the file is ours. */
export function migrate(sqlite: DatabaseSync, file: string): void {
  for (let done = stepsOf(sqlite); done !== migrations.length; done = stepsOf(sqlite)) {
    if (done > migrations.length)
      throw new StoreFault(
        "store_broken",
        `${file} was written by a newer Picket (step ${done}, this one knows ${migrations.length}): run that one, or give another file`,
      );
    sqlite.exec("BEGIN IMMEDIATE");
    const step = stepsOf(sqlite);
    for (const statement of statementsOf(migrations[step] ?? "", "sqlite")) sqlite.exec(statement);
    if (step === 0)
      sqlite
        .prepare("INSERT INTO settings (name, value) VALUES ('installation', ?)")
        .run(randomUUIDv7());
    sqlite.exec(`PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${versionBase + Math.min(step + 1, migrations.length)}; COMMIT;`);
  }
}

const stepsOf = (sqlite: DatabaseSync): number =>
  Math.max(0, numberOf(sqlite, "user_version") - versionBase);

const numberOf = (sqlite: DatabaseSync, pragma: string): number =>
  Number(sqlite.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);

/** Throws where the disk is so full that a batch does not fit, though a smaller write still would. */
export function mustHaveRoom(file: string): void {
  const { bavail, bsize } = statfsSync(file);
  if (bavail * bsize < storeLimits.storeRoomMin)
    throw new StoreFault("store_full", fullSentence(file));
}

/** Throws when a file is not (any longer) where it was opened: what is written then goes when it is closed. */
export function watchPlace(file: string): () => void {
  const opened = statSync(file);
  const isSame = (now: Stats | undefined): boolean =>
    now !== undefined && now.ino === opened.ino && now.dev === opened.dev;
  return () => {
    if (!isSame(statSync(file, { throwIfNoEntry: false })))
      throw new StoreFault("store_moved", movedSentence(file));
  };
}
