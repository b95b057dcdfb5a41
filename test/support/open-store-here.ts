import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MessageChannel } from "node:worker_threads";
import { isServer, openStore } from "#service/store/open-store";
import { openForWriting } from "#service/store/sqlite/database-file";
import { serveStore } from "#service/store/sqlite/serve-store";
import type { StoreWorker } from "#service/store/sqlite/store-thread";
import type { ThreadRole } from "#service/store/sqlite/thread-messages";

/**
 * Opens a store as `openStore` does, with a file's verbs done in this thread: a thread costs six times what most tests
 * have it do. All else is the same, down to the messages. Where the threads themselves are tested, or a verb may wait for
 * another store's lock, `openStore` is what to call. A database that is new is a copy, and has its installation's id.
 */
export const openStoreHere: typeof openStore = (place) => {
  const { database } = place;
  if (!isServer(database) && !existsSync(database))
    writeFileSync(database, (shaped ??= newDatabase()), { mode: 0o600 });
  return openStore({ ...place, startsWorker: serveHere });
};

/** A database of the newest shape: the steps to it take most of the time in which a new one opens. */
let shaped: Uint8Array | null = null;
function newDatabase(): Uint8Array {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-shape-"));
  const file = path.join(folder, "service.sqlite");
  openForWriting(file).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

function serveHere(role: ThreadRole): StoreWorker {
  const { port1, port2 } = new MessageChannel();
  void serveStore(role, port2);
  const worker = new EventEmitter();
  port1.on("message", (reply) => worker.emit("message", reply));
  port1.on("close", () => worker.emit("exit"));
  return Object.assign(worker, {
    postMessage: (request: unknown) => port1.postMessage(request),
    terminate: async () => port1.close(),
  });
}
