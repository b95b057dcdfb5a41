import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Identity } from "../support/authority.ts";

/** What a flood is made of: `first`, once, and then `piece` without an end. */
export interface Flood {
  readonly first: string | Uint8Array;
  readonly piece: string | Uint8Array;
}

/**
 * A server in a thread of its own that answers the first bytes of a connection with a flood, as fast as the connection
 * takes it: in the thread that checks it, it would wait for the check. With an identity it speaks HTTP/2 over TLS.
 */
export async function floodingThread(
  { first, piece }: Flood,
  identity: Identity | null = null,
): Promise<AsyncDisposable & { readonly port: number }> {
  const flood = { first: Buffer.from(first), piece: Buffer.from(piece), identity };
  const worker = new Worker(source, { eval: true, workerData: flood });
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
const { parentPort, workerData: { first, piece, identity } } = require("node:worker_threads");
const many = Buffer.alloc(Math.max(1, Math.floor(262144 / piece.length)) * piece.length, piece);
const onConnection = (socket) => {
  socket.on("error", () => {});
  socket.once("data", () => {
    socket.resume();
    socket.write(first);
    const flood = () => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on("drain", flood);
    flood();
  });
};
const server =
  identity === null
    ? require("node:net").createServer(onConnection)
    : require("node:tls").createServer({ ...identity, ALPNProtocols: ["h2"] }, onConnection);
server.on("tlsClientError", () => {});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;
