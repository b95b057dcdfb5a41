import * as limits from "#limits/probes-limits";
import type { Connection, ConnectionListener } from "#probes/socket/connection";
import type { Line } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";
import type { WireTimes } from "#probes/socket/wire-times";
import type { RawConnection } from "#probes/raw/raw-connection";
import type { TlsSession } from "#probes/raw/tls-session";

/**
 * The bytes of a raw connection that speaks TLS. Nothing is read of it until it is listened to. The session is freed
 * when it is closed: whatever is done with it afterwards changes nothing.
 */
export class RawTlsConnection implements Connection {
  readonly #raw: RawConnection;
  readonly #session: TlsSession;
  #listener: ConnectionListener | null = null;
  #state: "open" | "ended" | "closed" = "open";
  #paused = false;
  /** Whether what leaves now is what the listener wrote. */
  #writing = false;
  /** How much the peer had us answer by itself. */
  #answered = 0;

  constructor(raw: RawConnection, session: TlsSession) {
    this.#raw = raw;
    this.#session = session;
  }

  line(alpn: string | null, times: WireTimes): Line {
    this.#raw.pause();
    return {
      alpn,
      times,
      listen: (_turnBytesMax, listener) => this.#listen(listener),
      finish: () => this.#finish(),
      destroy: () => this.close(),
    };
  }

  write(...pieces: readonly Uint8Array[]): void {
    if (this.#state !== "open") return;
    this.#writing = true;
    const sealed: Uint8Array[] = [];
    for (const piece of pieces) {
      const step = this.#session.write(piece);
      sealed.push(...this.#sealed());
      if (step.how !== "done") return this.#failSoon(step.how === "failed" ? step.code : unwritten);
    }
    this.#raw.write(...sealed);
  }

  pause(): void {
    this.#paused = true;
    this.#raw.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#raw.resume();
    this.#readSoon();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#session.free();
    this.#raw.close();
  }

  /** Sends what TLS has to say by itself, and gives how much that was. */
  send(): number {
    const sealed = this.#sealed();
    if (sealed.length > 0) this.#raw.write(...sealed);
    return sealed.reduce((sum, { length }) => sum + length, 0);
  }

  onSent(mark: Mark): void {
    if (this.#writing && this.#state === "open") this.#listener?.onSent(mark);
  }

  /** The session got bytes of the peer. */
  onBytes(mark: Mark): void {
    while (this.#state === "open" && !this.#paused) {
      const step = this.#session.read();
      if (step.how === "wants") break;
      if (step.how === "done") {
        this.#writing = false;
        this.#listener?.onBytes(this.#session.plain.subarray(0, step.count), mark);
        continue;
      }
      this.send();
      if (step.how === "failed") this.onError(tlsError(step.code));
      else this.onEnd();
    }
    this.#answered += this.send();
    if (this.#answered > limits.tlsAnswersBytesMax) this.onError(tlsError(tooManyAnswers));
  }

  onEnd(): void {
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#listener?.onEnd();
  }

  onError(error: Error): void {
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#listener?.onError(error);
  }

  #listen(listener: ConnectionListener): Connection {
    this.#listener = listener;
    this.#raw.resume();
    // The peer's first bytes may have come with its last message of the handshake.
    this.#readSoon();
    return this;
  }

  #readSoon(): void {
    queueMicrotask(() => this.onBytes(this.#raw.arrived));
  }

  #failSoon(code: string): void {
    queueMicrotask(() => this.onError(tlsError(code)));
  }

  #finish(): void {
    if (this.#state === "closed") return;
    this.#session.end();
    this.send();
    this.#state = "closed";
    this.#session.free();
    this.#raw.finish();
  }

  #sealed(): Uint8Array[] {
    const sealed: Uint8Array[] = [];
    for (let part = this.#session.sealed(); part !== null; part = this.#session.sealed())
      sealed.push(Buffer.from(part));
    return sealed;
  }
}

export const tlsError = (code: string): Error => Object.assign(new Error(code), { code });

const unwritten = "ERR_SSL_NOTHING_CAN_BE_WRITTEN";
const tooManyAnswers = "ERR_SSL_TOO_MANY_MESSAGES";
