import { Duplex } from "node:stream";
import * as limits from "#limits/probes-limits";
import { type Connection, leftConnection } from "#probes/connection/connection";
import type { BareLine } from "#probes/connection/line";
import type { Marker } from "#probes/connection/marker";
import type { WireTimes } from "#probes/connection/wire-times";
import type { RawTls } from "#probes/raw/raw-tls";
import type { RawConnection } from "#probes/raw/raw-connection";

/** A raw connection as a line: read as it is, or as a stream that the runtime speaks TLS over. */
export function rawLine(raw: RawConnection, marker: Marker, tls: RawTls | null): BareLine {
  let stream: RawStream | null = null;
  const times = kernelTimes(raw, marker);
  return {
    alpn: null,
    times,
    ownTls: tls === null ? null : (terms, onEnd) => tls.start(raw, times, terms, onEnd),
    listen: (turnBytesMax, listener) => raw.listen(turnBytesMax, listener),
    stream: () => (stream ??= new RawStream(raw)),
    socket: () => raw.release(),
    finish: () => raw.finish(),
    destroy: () => {
      stream?.destroy();
      raw.close();
    },
  };
}

/** By the kernel's stamps. */
const kernelTimes = (raw: RawConnection, marker: Marker): WireTimes => ({
  acted: () => marker.acted(),
  arrived: () => raw.arrived,
  left: (begun) => marker.since(begun),
  owe: () => raw.owe(),
  leftSince: (begun) => (raw.left.at > begun.at ? raw.left : null),
});

/** What comes is copied, for a stream may keep it. */
class RawStream extends Duplex {
  #connection: Connection;
  #written: ((error?: Error) => void) | null = null;

  constructor(raw: RawConnection) {
    super({ allowHalfOpen: true });
    // Whoever speaks over it listens for errors; where it was left already, an error must not end the thread.
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
