import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import * as limits from "#limits/probes-limits";
import { freeBody } from "#probes/body-memory";
import type { WireTimes } from "#probes/connection/wire-times";
import type { Mark } from "#probes/connection/marker";
import type { Bytes } from "#units";

/** A connection that carries bytes, whatever lies beneath: nothing comes before it is listened to. */
export interface Connection {
  /** Hands the pieces over as one. */
  write(...pieces: readonly Uint8Array[]): void;
  /** Reports no more bytes until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it at once, in both directions. Nothing more is reported. */
  close(): void;
}

const nothing = (): void => {};

/** Stands in for a connection that was left: whatever the runtime keeps beyond a check's end holds this instead. */
export const leftConnection: Connection = {
  write: nothing,
  pause: nothing,
  resume: nothing,
  close: nothing,
};

/** Whoever reads a connection. */
export interface ConnectionListener {
  /**
   * All that was written has left, at `mark`: within the call, where the kernel took it at once. Reported again where
   * the kernel says later when it left, before anything else is reported.
   */
  onSent(mark: Mark): void;
  /** Bytes came; `mark` is when. They are good until the call returns. */
  onBytes(bytes: Uint8Array, mark: Mark): void;
  /** The peer sends no more. */
  onEnd(): void;
  onError(error: Error): void;
}

/**
 * A socket of the runtime as a connection. It is read up to `turnBytesMax` a turn of the event loop, so that a peer
 * which sends as fast as it can delays only itself.
 */
export function socketConnection(
  socket: Socket,
  times: WireTimes,
  turnBytesMax: Bytes,
  listener: ConnectionListener,
): Connection {
  let state: "open" | "ended" = "open";
  let paused = false;
  let read = 0;
  /** When the writing began whose end may be known more exactly later. */
  let writing: Mark | null = null;
  const reviseSent = (): void => {
    const left = writing === null ? null : times.leftSince(writing);
    writing = null;
    if (left !== null) listener.onSent(left);
  };
  // What TLS unpacks comes in pieces of one memory, which is still read from.
  const isFreed = !(socket instanceof TLSSocket);
  const flow = (): void => {
    if (state === "open" && !paused) socket.resume();
  };
  socket.on("data", (bytes: Uint8Array) => {
    if (state === "ended") return;
    read += bytes.length;
    if (read >= turnBytesMax) {
      read = 0;
      socket.pause();
      setImmediate(flow);
    }
    reviseSent();
    listener.onBytes(bytes, times.arrived());
    if (isFreed && bytes.length >= freedAtOnceMin) freeBody(bytes);
  });
  const end = (tell: () => void): void => {
    if (state === "ended") return;
    state = "ended";
    tell();
  };
  socket.on("end", () => end(() => listener.onEnd()));
  socket.on("error", (error) => end(() => listener.onError(error)));
  socket.on("close", () => end(() => listener.onEnd()));
  return {
    write: (...pieces) => {
      const begun = times.acted();
      writing = begun;
      let waits = false;
      socket.cork();
      for (const piece of pieces.slice(0, -1)) socket.write(piece);
      socket.write(pieces.at(-1) ?? "", (error) => {
        if (waits && state === "open" && (error ?? null) === null)
          listener.onSent(times.left(begun));
      });
      socket.uncork();
      // A connection that was reset before it could carry the request has failed in writing it.
      if (socket.errored !== null) return;
      // The kernel took it in the call that wrote it: on a new connection it always has room for so much.
      waits = socket.writableLength > limits.requestSentAtOnceMax;
      if (!waits) listener.onSent(times.left(begun));
    },
    pause: () => {
      paused = true;
      socket.pause();
    },
    resume: () => {
      paused = false;
      flow();
    },
    close: () => {
      state = "ended";
      socket.destroy();
    },
  };
}

/** The runtime reads into new memory each time: the collector would let megabytes of it gather before it looks. */
const freedAtOnceMin = 4_096;
