import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A server in a thread of its own that resets the connection it accepts, when it is told to. */
export interface ResettingThread extends AsyncDisposable {
  readonly port: number;
  /** Blocks this thread until the connection has been reset: the RST is then here, on the loopback. */
  reset(): void;
}

/**
 * Whether a reset is there before the request is written, and after the connection came about, would in one event loop
 * be left to chance. Two threads and a word that they share leave nothing to chance.
 */
export async function resettingThread(): Promise<ResettingThread> {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(source, { eval: true, workerData: word });
  const [port]: unknown[] = await once(worker, "message");
  if (typeof port !== "number") throw new Error("no port");
  return {
    port,
    reset: () => {
      Atomics.store(word, 0, 1);
      Atomics.notify(word, 0);
      Atomics.wait(word, 0, 1, 5_000);
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

// The word is 0 until the reset is wanted, 1 until it is done, and then 2.
const source = `
const { parentPort, workerData: word } = require("node:worker_threads");
const server = require("node:net").createServer((socket) => {
  socket.on("error", () => {});
  Atomics.wait(word, 0, 0, 5_000);
  socket.resetAndDestroy();
  Atomics.store(word, 0, 2);
  Atomics.notify(word, 0);
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;
