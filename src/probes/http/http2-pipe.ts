import { Duplex } from "node:stream";
import * as limits from "#limits/probes-limits";
import { type Connection, leftConnection } from "#probes/connection/connection";
import type { Line } from "#probes/connection/line";
import type { Mark } from "#probes/connection/marker";

/** Sees bytes before the session does; false keeps them, and all that follows, from it. */
type ByteFilter = (bytes: Uint8Array, mark: Mark) => boolean;

/** A connection as the stream that the runtime's session of HTTP/2 reads and writes. */
export class Http2Pipe extends Duplex {
  #connection: Connection;

  constructor(line: Line, looks: ByteFilter) {
    super({ allowHalfOpen: false });
    this.#connection = line.listen(limits.http2TurnBytesMax, {
      onSent: () => {},
      onBytes: (bytes, mark) => {
        if (!looks(bytes, mark)) return this.#connection.pause();
        if (!this.push(Buffer.from(bytes))) this.#connection.pause();
      },
      onEnd: () => this.push(null),
      onError: (error) => this.destroy(error),
    });
  }

  override _read(): void {
    this.#connection.resume();
  }

  /** What may wait here is bounded by the peer's own windows, and by the request. */
  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#connection.write(bytes);
    done();
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
