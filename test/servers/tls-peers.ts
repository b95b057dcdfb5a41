import tls from "node:tls";
import type { Identity } from "../support/authority.ts";
import { type Script, type Scripted, tcpPeer } from "./scripted.ts";

/** TLS alerts (RFC 8446 §6) as a peer sends them before any key is agreed on. */
export const alertBytes = (description: number): Buffer =>
  Buffer.from([0x15, 3, 3, 0, 2, 2, description]);

/**
 * A server that knows one name only: without it in the ClientHello it ends the handshake with the alert
 * unrecognized_name, as nginx does with `ssl_reject_handshake`.
 */
export async function nameRequired(
  name: string,
  identity: Identity,
  script: Script,
): Promise<Scripted> {
  const server = tls.createServer(identity, script);
  server.on("tlsClientError", () => {});
  return tcpPeer((socket) =>
    socket.once("data", (hello: Buffer) => {
      if (!hello.includes(name)) return socket.end(alertBytes(112));
      // The TLS socket reads what is given back, if nobody else has read on.
      socket.pause();
      socket.unshift(hello);
      server.emit("connection", socket);
    }),
  );
}

/** Sends the beginning of a handshake record and then nothing. */
export const stopsInHandshake: Script = (socket) => {
  socket.once("data", () => socket.write(Buffer.from([0x16, 3, 3, 0, 122, 2])));
};
