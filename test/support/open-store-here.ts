import { EventEmitter } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { openStore } from "#store/open-store";
import { serveStore } from "#store/sqlite/serve-store";
import type { StoreWorker } from "#store/sqlite/store-thread";
import type { ThreadRole } from "#store/sqlite/thread-messages";

/**
 * Opens a store as `openStore` does, with a file's verbs done in this thread: a thread costs six times what most tests
 * have it do. All else is the same, down to the messages. Where the threads themselves are tested, or a verb may wait for
 * another store's lock, `openStore` is what to call.
 */
export const openStoreHere: typeof openStore = (place) =>
  openStore({ ...place, startsWorker: serveHere });

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
