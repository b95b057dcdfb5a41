import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import {
  type Connection,
  type ConnectionListener,
  SocketConnection,
} from "#probes/connection/connection";
import { forgetListeners } from "#probes/connection/forget-listeners";
import type { WireTimes } from "#probes/connection/wire-times";
import type { Bytes } from "#units";

/** A connection that is open and not yet read: by a socket of the runtime or by a raw one, with or without TLS. */
export interface Line {
  /** What was settled on by ALPN; null where nothing was. */
  readonly alpn: string | null;
  /** Reads it, up to so much in each turn of the event loop: a peer that floods delays only itself. */
  listen(turnBytesMax: Bytes, listener: ConnectionListener): Connection;
  /** The bytes as a stream that TLS can be spoken over, and what knows when they came and left. */
  carrier(): Carrier;
  /** The runtime's socket of this connection, which owns it from now on. */
  socket(): Socket;
  /** Ends it in good order. */
  finish(): void;
  /** Ends it at once. */
  destroy(): void;
}

export interface Carrier {
  readonly stream: Duplex;
  readonly times: WireTimes;
}

/** A socket of the runtime, or TLS over whatever lies below it, as a line. */
export function socketLine(
  socket: Socket,
  times: WireTimes,
  below: { destroy(): void } | null = null,
): Line {
  forgetListeners(socket);
  const alpn = socket instanceof TLSSocket ? socket.alpnProtocol : null;
  return {
    alpn: alpn === false ? null : alpn,
    listen: (turnBytesMax, listener) => new SocketConnection(socket, times, turnBytesMax, listener),
    carrier: () => ({ stream: socket, times }),
    socket: () => socket,
    finish: () => {
      // A peer that resets in answer to the FIN has nothing more to say.
      socket.on("error", ignored);
      socket.end();
      socket.destroySoon();
    },
    destroy: () => {
      socket.on("error", ignored);
      socket.destroy();
      below?.destroy();
    },
  };
}

const ignored = (): void => {};
