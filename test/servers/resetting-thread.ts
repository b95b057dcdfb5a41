import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A server that resets every connection it accepts, in a thread of its own. */
export interface ResettingThread extends AsyncDisposable {
  readonly port: number;
  /** Blocks this thread until one more connection has been reset: its RST is then here, on the loopback. */
  waitForReset(): void;
}

/**
 * In one event loop the client's `connect` event may come before the server's `connection`, so whether a reset is
 * there before the request is written would be left to chance. Two threads and a lock leave nothing to chance.
 */
export async function resettingThread(): Promise<ResettingThread> {
  const resets = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(source, { eval: true, workerData: resets });
  const [port]: unknown[] = await once(worker, "message");
  if (typeof port !== "number") throw new Error("no port");
  let seen = 0;
  return {
    port,
    waitForReset: () => {
      Atomics.wait(resets, 0, seen, 5_000);
      seen = Atomics.load(resets, 0);
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

const source = `
const { parentPort, workerData: resets } = require("node:worker_threads");
const server = require("node:net").createServer((socket) => {
  socket.on("error", () => {});
  socket.resetAndDestroy();
  Atomics.add(resets, 0, 1);
  Atomics.notify(resets, 0);
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;
