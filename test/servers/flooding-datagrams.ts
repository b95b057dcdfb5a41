import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A UDP server in a thread of its own that answers the first datagram with this one, without an end. */
export async function floodingDatagrams(
  answer: Uint8Array,
): Promise<AsyncDisposable & { readonly port: number }> {
  const worker = new Worker(source, { eval: true, workerData: answer });
  const [port]: unknown[] = await once(worker, "message");
  if (typeof port !== "number") throw new Error("no port");
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

const source = `
const { parentPort, workerData: answer } = require("node:worker_threads");
const socket = require("node:dgram").createSocket("udp4");
socket.on("error", () => {});
socket.once("message", (_query, { port, address }) => {
  const flood = () => {
    for (let sent = 0; sent < 64; sent += 1) socket.send(answer, port, address);
    setImmediate(flood);
  };
  flood();
});
socket.bind(0, "127.0.0.1", () => parentPort.postMessage(socket.address().port));
`;
