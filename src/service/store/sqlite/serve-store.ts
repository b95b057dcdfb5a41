import { existsSync } from "node:fs";
import { backup, type DatabaseSync } from "node:sqlite";
import type { MessagePort } from "node:worker_threads";
import { doRecorded } from "#service/store/audit/recording";
import type { Sql } from "#service/store/sql";
import {
  mustHaveRoom,
  openForReading,
  openForWriting,
  shapeOf,
  watchPlace,
} from "#service/store/sqlite/database-file";
import { lockDatabase, makePrivate } from "#service/store/sqlite/database-lock";
import { faultOf } from "#service/store/sqlite/sqlite-fault";
import { sqlOn } from "#service/store/sqlite/sqlite-sql";
import {
  type VerbRequest,
  backupVerb,
  closeVerb,
  probeVerb,
  type ThreadReply,
  type ThreadRole,
  threadBegins,
} from "#service/store/sqlite/thread-messages";
import { VerbQueue } from "#service/store/sqlite/verb-queue";
import { StoreFault } from "#service/store/store-fault";
import { verbOf } from "#service/store/verb-table";

/**
 * Opens the file, and does the verbs that come through the port until one of them closes both. The port of a store's
 * thread is its own; in tests it may be one of the same thread.
 */
export async function serveStore(role: ThreadRole, port: MessagePort): Promise<void> {
  const say: Say = (said) => port.postMessage(said);
  using opened = new DisposableStack();
  try {
    const sqlite = await openFor(role, opened, say);
    serve(sqlite, role, { port, say, opened: opened.move() });
  } catch (error) {
    say(thrownReply(threadBegins, error, role.file));
  }
}

type Say = (said: ThreadReply<unknown>) => void;

/** What is opened is closed with `opened`. */
async function openFor(role: ThreadRole, opened: DisposableStack, say: Say): Promise<DatabaseSync> {
  const { file, does, alone } = role;
  if (does === "reads") return opened.use(openForReading(file));
  if (alone) opened.use(lockDatabase(file));
  makePrivate(file);
  if (shapeOf(file) === "before") await bringOverAlone(role, say);
  const sqlite = opened.use(openForWriting(file));
  if (alone) freeWork(sqlite);
  return sqlite;
}

interface Serving {
  readonly port: MessagePort;
  readonly say: Say;
  readonly opened: DisposableStack;
}

function serve(
  sqlite: DatabaseSync,
  { file, does }: ThreadRole,
  { port, say, opened }: Serving,
): void {
  const queue = new VerbQueue(sqlite, does, watchPlace(file));
  const sql = sqlOn(sqlite, (sentence) => say({ kind: "damage", sentence }));
  const close = (): void => {
    opened.dispose();
    port.close();
  };
  port.on("message", (request: VerbRequest<never>) => {
    const { id, verb } = request;
    const done = {
      resolve: (value: unknown) => say({ kind: "done", id, value }),
      reject: (error: unknown) => say(thrownReply(id, error, file)),
    };
    if (verb === closeVerb) return queue.finish(close);
    if (verb === backupVerb)
      return void backupTo(file, String(request.args[0])).then(done.resolve, done.reject);
    if (verb === probeVerb) return queue.add({ work: () => probe(sql, file), ...done });
    const known = verbOf.get(verb);
    if (known === undefined) return done.reject(new Error(`no verb is called ${verb}`));
    const { args, authorship } = request;
    const work = (): Promise<unknown> =>
      authorship === null ? known.work(sql, ...args) : doRecorded(known, sql, args, authorship);
    queue.add({ work, ...done });
  });
  say({ kind: "done", id: threadBegins, value: null });
}

function thrownReply(id: number, error: unknown, file: string): ThreadReply<unknown> {
  const fault = faultOf(error, file);
  if (fault !== null) return { kind: "fault", id, code: fault.code, message: fault.message };
  const message = Error.isError(error) ? (error.stack ?? error.message) : String(error);
  return { kind: "threw", id, message };
}

/** An update of one row to what it is, if there is room for more than that. */
async function probe(sql: Sql, file: string): Promise<number> {
  mustHaveRoom(file);
  return sql.run("UPDATE settings SET value = value WHERE name = 'installation'");
}

/** From its own connection in one step, so that it neither waits for writes nor starts again at each of them. */
async function backupTo(file: string, target: string): Promise<void> {
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
async function bringOverAlone({ file, alone }: ThreadRole, say: Say): Promise<void> {
  const { bringOver } = await import("#service/store/sqlite/bring-over");
  using _ = alone ? null : lockDatabase(file);
  await bringOver(file, (sentence) => say({ kind: "progress", sentence }));
}

/** Whoever had a part of the work is gone: with the lock, the file is ours alone. */
function freeWork(sqlite: DatabaseSync): void {
  sqlite.exec(`DELETE FROM leases; DELETE FROM replicas;
    UPDATE lanes SET holder = '', held_until = 0 WHERE holder <> '';`);
}
