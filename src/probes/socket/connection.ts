import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import * as limits from "#limits/probes-limits";
import { freeBody } from "#probes/socket/body-memory";
import type { WireTimes } from "#probes/socket/wire-times";
import type { Mark } from "#probes/socket/marker";
import type { Bytes } from "#base/units";

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
export class SocketConnection implements Connection {
  readonly #socket: Socket;
  readonly #times: WireTimes;
  readonly #turnBytesMax: Bytes;
  readonly #listener: ConnectionListener;
  /** What TLS unpacks comes in pieces of one memory, which is still read from. */
  readonly #isFreed: boolean;
  #isOver = false;
  #isPaused = false;
  #readThisTurn = 0;
  /** When the writing began whose end may be known more exactly later. */
  #writing: Mark | null = null;

  constructor(socket: Socket, times: WireTimes, turnBytesMax: Bytes, listener: ConnectionListener) {
    this.#socket = socket;
    this.#times = times;
    this.#turnBytesMax = turnBytesMax;
    this.#listener = listener;
    this.#isFreed = !(socket instanceof TLSSocket);
    socket.on("data", (bytes: Uint8Array) => this.#onBytes(bytes));
    socket.on("end", () => this.#end(null));
    socket.on("error", (error) => this.#end(error));
    socket.on("close", () => this.#end(null));
  }

  write(...pieces: readonly Uint8Array[]): void {
    const begun = this.#times.acted();
    this.#writing = begun;
    const sent = (): void => this.#listener.onSent(this.#times.left(begun));
    let isWaiting = false;
    this.#socket.cork();
    for (const piece of pieces.slice(0, -1)) this.#socket.write(piece);
    this.#socket.write(pieces.at(-1) ?? "", (error) => {
      if (isWaiting && !this.#isOver && (error ?? null) === null) sent();
    });
    this.#socket.uncork();
    // A connection that was reset before it could carry the request has failed in writing it.
    if (this.#socket.errored !== null) return;
    // The kernel took it in the call that wrote it: on a new connection it always has room for so much.
    isWaiting = this.#socket.writableLength > limits.requestSentAtOnceMax;
    if (!isWaiting) sent();
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#flow();
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #flow(): void {
    if (!this.#isOver && !this.#isPaused) this.#socket.resume();
  }

  #onBytes(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#readThisTurn += bytes.length;
    if (this.#readThisTurn >= this.#turnBytesMax) {
      this.#readThisTurn = 0;
      this.#socket.pause();
      setImmediate(() => this.#flow());
    }
    this.#reviseSent();
    this.#listener.onBytes(bytes, this.#times.arrived());
    if (this.#isFreed && bytes.length >= freedAtOnceMin) freeBody(bytes);
  }

  #reviseSent(): void {
    const left = this.#writing === null ? null : this.#times.leftSince(this.#writing);
    this.#writing = null;
    if (left !== null) this.#listener.onSent(left);
  }

  #end(error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error === null) this.#listener.onEnd();
    else this.#listener.onError(error);
  }
}

/** The runtime reads into new memory each time: the collector would let megabytes of it gather before it looks. */
const freedAtOnceMin = 4_096;
