import { randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

/** A peer that does exactly what its script says with each connection, and is gone with the scope that opened it. */
export interface Scripted extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted so far. */
  readonly accepted: number;
}

export type Script = (socket: net.Socket) => void;

/** A TCP server on a loopback address. */
export async function tcpPeer(script: Script, host = "127.0.0.1"): Promise<Scripted> {
  return listening(net.createServer(), "connection", script, host);
}

/** A TLS server on 127.0.0.1. */
export async function tlsPeer(options: tls.TlsOptions, script: Script): Promise<Scripted> {
  const server = tls.createServer(options);
  server.on("tlsClientError", () => {});
  return listening(server, "secureConnection", script);
}

async function listening(
  server: net.Server,
  event: string,
  script: Script,
  host = "127.0.0.1",
): Promise<Scripted> {
  const sockets = new Set<net.Socket>();
  let accepted = 0;
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on(event, (socket: net.Socket) => {
    accepted += 1;
    socket.on("error", () => {});
    script(socket);
  });
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    get accepted() {
      return accepted;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers each request head with these pieces, then does with the connection as `end` says. */
export function answers(
  pieces: string | Buffer | readonly (string | Buffer)[],
  end: "close" | "keep" | "reset" = "close",
): Script {
  return (socket) => {
    onRequestHead(socket, () => {
      for (const piece of typeof pieces === "string" || Buffer.isBuffer(pieces) ? [pieces] : pieces)
        socket.write(piece);
      if (end === "close") socket.end();
      if (end === "reset") socket.resetAndDestroy();
    });
  };
}

/** Answers each request head with the first piece, and then with the second one for ever, every few milliseconds. */
export function drips(first: string, piece: string, every = 10): Script {
  return (socket) => {
    onRequestHead(socket, () => {
      socket.write(first);
      const timer = setInterval(() => socket.write(piece), every);
      socket.once("close", () => clearInterval(timer));
    });
  };
}

/** Calls back once with the head of the first request. */
export function onRequestHead(socket: net.Socket, callback: (head: string) => void): void {
  let seen = "";
  const onData = (chunk: Buffer): void => {
    seen += chunk.toString("latin1");
    if (!seen.includes("\r\n\r\n")) return;
    socket.off("data", onData);
    socket.resume();
    callback(seen);
  };
  socket.on("data", onData);
}

/**
 * A port on which nothing listens, and that nobody else gets meanwhile: it lies below those that the system hands out to
 * whoever connects or listens on any.
 */
export async function closedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = net.createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
