import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import {
  type Connection,
  type ConnectionListener,
  SocketConnection,
} from "#probes/socket/connection";
import { forgetListeners } from "#probes/socket/forget-listeners";
import type { Mark } from "#probes/socket/marker";
import type { ShownTls, TlsAttempt, TlsTerms } from "#probes/socket/tls-attempt";
import type { WireTimes } from "#probes/socket/wire-times";
import type { Bytes } from "#base/units";

/** A connection that is open and not yet read: by a socket of the runtime or by a raw one, with or without TLS. */
export interface Line {
  /** What was settled on by ALPN; null if nothing was. */
  readonly alpn: string | null;
  /** What knows when its bytes came and left. */
  readonly times: WireTimes;
  /** Reads it, up to so much in each turn of the event loop: a peer that floods delays only itself. */
  listen(turnBytesMax: Bytes, listener: ConnectionListener): Connection;
  /** Ends it in good order. */
  finish(): void;
  /** Ends it at once. */
  destroy(): void;
}

/** A line whose bytes the runtime can carry. */
export interface BareLine extends Line {
  /** Its TLS without the runtime's; null if there is none. */
  readonly ownTls: OwnTls | null;
  /** The bytes as a stream that the runtime speaks TLS over. */
  stream(): Duplex;
  /** The runtime's socket of this connection, which owns it from now on. */
  socket(): Socket;
}

/** TLS of a line without the runtime's. Null if it cannot keep these terms. */
type OwnTls = (terms: TlsTerms, onEnd: (end: TlsEnd<Line>) => void) => TlsAttempt | null;

/** Speaks TLS over a line. Throws where what is believed cannot be read. Nothing is reported within the call. */
export type StartTls<L extends Line> = (
  below: BareLine,
  terms: TlsTerms,
  onEnd: (end: TlsEnd<L>) => void,
) => TlsAttempt;

/** How a handshake ended. Unless it is secured, the connection is over. */
export type TlsEnd<L extends Line> =
  | {
      readonly how: "secured";
      readonly line: L;
      readonly ready: Mark;
      readonly shown: ShownTls;
    }
  | { readonly how: "closed" }
  | { readonly how: "error"; readonly error: Error };

/** A socket of the runtime, or TLS over whatever lies below it, as a line. */
export function socketLine(
  socket: Socket,
  times: WireTimes,
  below: { destroy(): void } | null = null,
): BareLine {
  forgetListeners(socket);
  const alpn = socket instanceof TLSSocket ? socket.alpnProtocol : null;
  return {
    alpn: alpn === false ? null : alpn,
    times,
    ownTls: null,
    listen: (turnBytesMax, listener) => new SocketConnection(socket, times, turnBytesMax, listener),
    stream: () => socket,
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
