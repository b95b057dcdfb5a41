import { existsSync } from "node:fs";
import { backup, type DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { Sql } from "#store/sql";
import {
  mustHaveRoom,
  openForReading,
  openForWriting,
  shapeOf,
  watchPlace,
} from "#store/sqlite/database-file";
import { lockDatabase, makePrivate } from "#store/sqlite/database-lock";
import { faultOf } from "#store/sqlite/sqlite-fault";
import { sqlOn } from "#store/sqlite/sqlite-sql";
import {
  type VerbRequest,
  backupVerb,
  closeVerb,
  probeVerb,
  type ThreadReply,
  type ThreadRole,
  threadBegins,
} from "#store/sqlite/thread-messages";
import { VerbQueue } from "#store/sqlite/verb-queue";
import { StoreFault } from "#store/store-fault";
import { verbOf } from "#store/verb-table";

/** A thread of the store: it opens the file, and does verbs until it is ended. One writes, another reads. */
const role: ThreadRole = workerData;
const { file } = role;
const say = (said: ThreadReply<unknown>): void => parentPort?.postMessage(said);

function sayThrown(id: number, error: unknown): void {
  const fault = faultOf(error, file);
  if (fault !== null) return say({ kind: "fault", id, code: fault.code, message: fault.message });
  const message = Error.isError(error) ? (error.stack ?? error.message) : String(error);
  say({ kind: "threw", id, message });
}

/** An update of one row to what it is, where there is room for more than that. */
async function probe(sql: Sql): Promise<number> {
  mustHaveRoom(file);
  return sql.run("UPDATE settings SET value = value WHERE name = 'installation'");
}

/** From its own connection in one step, so that it neither waits for writes nor begins anew at each of them. */
async function backupTo(target: string): Promise<void> {
  if (existsSync(target))
    throw new StoreFault(
      "unsupported",
      `${target} is there already: give a backup a name that is free`,
    );
  makePrivate(target);
  using source = openForReading(file);
  await backup(source, target, { rate: 2 ** 31 - 1 });
}

/**
 * Whoever has the lock already is not asked for it again. It happens once in a database's life, so only then its code,
 * which needs the whole contract, is loaded.
 */
async function bringOverAlone(): Promise<void> {
  const { bringOver } = await import("#store/sqlite/bring-over");
  using _ = role.alone ? null : lockDatabase(file);
  await bringOver(file, (sentence) => say({ kind: "progress", sentence }));
}

/** Whoever had a part of the work is gone: with the lock, the file is ours alone. */
function freeWork(sqlite: DatabaseSync): void {
  sqlite.exec(`DELETE FROM leases; DELETE FROM replicas;
    UPDATE lanes SET holder = '', held_until = 0 WHERE holder <> '';`);
}

function serve(sqlite: DatabaseSync, lock: Disposable | null): void {
  const queue = new VerbQueue(sqlite, role.does, watchPlace(file));
  const sql = sqlOn(sqlite);
  const close = (): void => {
    sqlite.close();
    lock?.[Symbol.dispose]();
    parentPort?.close();
  };
  parentPort?.on("message", (request: VerbRequest<never>) => {
    const { id, verb } = request;
    const done = {
      resolve: (value: unknown) => say({ kind: "done", id, value }),
      reject: (error: unknown) => sayThrown(id, error),
    };
    if (verb === closeVerb) return queue.finish(close);
    if (verb === backupVerb)
      return void backupTo(String(request.args[0])).then(done.resolve, done.reject);
    const work = verb === probeVerb ? probe : verbOf.get(verb)?.work;
    if (work === undefined) return done.reject(new Error(`no verb is called ${verb}`));
    queue.add({ work: () => work(sql, ...request.args), ...done });
  });
  say({ kind: "done", id: threadBegins, value: null });
}

try {
  if (role.does === "reads") serve(openForReading(file), null);
  else {
    const lock = role.alone ? lockDatabase(file) : null;
    makePrivate(file);
    if (shapeOf(file) === "before") await bringOverAlone();
    const sqlite = openForWriting(file);
    if (role.alone) freeWork(sqlite);
    serve(sqlite, lock);
  }
} catch (error) {
  sayThrown(threadBegins, error);
}
