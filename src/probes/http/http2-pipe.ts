import { Duplex } from "node:stream";
import * as limits from "#limits/probes-limits";
import { type Connection, leftConnection } from "#probes/socket/connection";
import type { Line } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";

/** Whoever looks on while the session reads and writes. */
interface Onlooker {
  /** Sees what the session writes; `isFirst` where it is the first of a turn. */
  onWrite(bytes: Uint8Array, isFirst: boolean): void;
  /** What the session wrote in one turn has left. Reported again where more is known of when. */
  onSent(mark: Mark): void;
  /** Sees bytes before the session does, which gets so many of them; if that is not all, it gets none that follow. */
  onBytes(bytes: Uint8Array, mark: Mark): number;
}

/**
 * A connection as the stream that the runtime's session of HTTP/2 reads and writes. What the session writes in one turn
 * leaves as one: its preface, its settings and a request are three writes, and would else be three packets.
 */
export class Http2Pipe extends Duplex {
  #connection: Connection;
  readonly #onlooker: Onlooker;
  #pieces: Uint8Array[] = [];
  #isCut = false;

  constructor(line: Line, onlooker: Onlooker) {
    super({ allowHalfOpen: false });
    this.#onlooker = onlooker;
    this.#connection = line.listen(limits.http2TurnBytesMax, {
      onSent: (mark) => onlooker.onSent(mark),
      onBytes: (bytes, mark) => {
        const passed = onlooker.onBytes(bytes, mark);
        this.#isCut ||= passed < bytes.length;
        const isFull = passed > 0 && !this.push(Buffer.from(bytes.subarray(0, passed)));
        if (this.#isCut || isFull) this.#connection.pause();
      },
      onEnd: () => this.push(null),
      onError: (error) => this.destroy(error),
    });
  }

  override _read(): void {
    if (!this.#isCut) this.#connection.resume();
  }

  /** What may wait here is bounded by the peer's own windows, and by the request. */
  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    const isFirst = this.#pieces.length === 0;
    if (isFirst) setImmediate(() => this.#flush());
    this.#onlooker.onWrite(bytes, isFirst);
    this.#pieces.push(bytes);
    done();
  }

  #flush(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#connection.write(Buffer.concat(pieces));
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection.close();
    this.#connection = leftConnection;
    done(error);
  }
}
