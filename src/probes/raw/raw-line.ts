import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import * as limits from "#limits/probes-limits";
import {
  type Connection,
  type ConnectionListener,
  leftConnection,
} from "#probes/socket/connection";
import type { BareLine } from "#probes/socket/line";
import type { Mark, Marker } from "#probes/socket/marker";
import type { WireTimes } from "#probes/socket/wire-times";
import type { RawTls } from "#probes/raw/raw-tls";
import type { RawConnection } from "#probes/raw/raw-connection";
import type { Bytes } from "#base/units";

/** A raw connection as a line: read as it is, or as a stream that the runtime speaks TLS over. */
export class RawLine implements BareLine {
  readonly alpn = null;
  readonly times: WireTimes;
  readonly #raw: RawConnection;
  readonly #tls: RawTls | null;
  #stream: RawStream | null = null;

  constructor(raw: RawConnection, marker: Marker, tls: RawTls | null) {
    this.times = new KernelTimes(raw, marker);
    this.#raw = raw;
    this.#tls = tls;
  }

  get ownTls(): BareLine["ownTls"] {
    const tls = this.#tls;
    if (tls === null) return null;
    return (terms, onEnd) => tls.start(this.#raw, this.times, terms, onEnd);
  }

  listen(turnBytesMax: Bytes, listener: ConnectionListener): Connection {
    return this.#raw.listen(turnBytesMax, listener);
  }

  stream(): Duplex {
    return (this.#stream ??= new RawStream(this.#raw));
  }

  socket(): Socket {
    return this.#raw.release();
  }

  finish(): void {
    this.#raw.finish();
  }

  destroy(): void {
    this.#stream?.destroy();
    this.#raw.close();
  }
}

/** By the kernel's stamps. */
class KernelTimes implements WireTimes {
  readonly #raw: RawConnection;
  readonly #marker: Marker;

  constructor(raw: RawConnection, marker: Marker) {
    this.#raw = raw;
    this.#marker = marker;
  }

  acted(): Mark {
    return this.#marker.acted();
  }

  arrived(): Mark {
    return this.#raw.arrived;
  }

  left(begun: Mark): Mark {
    return this.#marker.since(begun);
  }

  owe(): void {
    this.#raw.owe();
  }

  leftSince(begun: Mark): Mark | null {
    return this.#raw.left.at > begun.at ? this.#raw.left : null;
  }
}

/** What comes is copied, for a stream may keep it. */
class RawStream extends Duplex {
  #connection: Connection;
  #written: ((error?: Error) => void) | null = null;

  constructor(raw: RawConnection) {
    super({ allowHalfOpen: true });
    // Whoever speaks over it listens for errors; if it was left already, an error must not end the thread.
    this.on("error", () => {});
    this.#connection = raw.listen(limits.rawTlsTurnBytesMax, {
      onSent: () => this.#endWrite(),
      onBytes: (bytes) => {
        if (!this.push(Buffer.from(bytes))) this.#connection.pause();
      },
      onEnd: () => {
        this.push(null);
      },
      onError: (error) => {
        this.#endWrite(error);
        this.destroy(error);
      },
    });
  }

  override _read(): void {
    this.#connection.resume();
  }

  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#written = done;
    this.#connection.write(bytes);
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection.close();
    this.#connection = leftConnection;
    done(error);
  }

  #endWrite(error?: Error): void {
    const written = this.#written;
    this.#written = null;
    written?.(error);
  }
}
