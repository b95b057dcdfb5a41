import * as limits from "#limits/probes-limits";
import type { ConnectionListener } from "#probes/socket/connection";
import type { Line, TlsEnd } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";
import type { ShownTls, TlsAttempt } from "#probes/socket/tls-attempt";
import type { WireTimes } from "#probes/socket/wire-times";
import type { KeptChains } from "#probes/raw/kept-chains";
import type { RawConnection } from "#probes/raw/raw-connection";
import { RawTlsConnection, tlsError } from "#probes/raw/raw-tls-connection";
import type { TlsSession } from "#probes/raw/tls-session";
import { verificationName } from "#probes/raw/verification-names";

/** What TLS over a raw connection is made of. */
interface RawTlsEnd {
  readonly raw: RawConnection;
  readonly times: WireTimes;
  /** Freed with the connection. */
  readonly session: TlsSession;
  readonly chains: KeptChains;
}

/** A handshake over a raw connection. */
export class RawTlsAttempt implements TlsAttempt {
  readonly #end: RawTlsEnd;
  readonly #onEnd: (end: TlsEnd<Line>) => void;
  readonly #connection: RawTlsConnection;
  readonly #begun: Mark;
  #state: "shaking" | "over" = "shaking";

  constructor(end: RawTlsEnd, onEnd: (end: TlsEnd<Line>) => void) {
    this.#end = end;
    this.#onEnd = onEnd;
    this.#begun = end.times.acted();
    this.#connection = new RawTlsConnection(end.raw, end.session);
    const listener: ConnectionListener = {
      onSent: (mark) => this.#connection.onSent(mark),
      onBytes: (bytes, mark) => {
        end.session.receive(bytes);
        if (this.#state === "shaking") this.#shakeHands();
        else this.#connection.onBytes(mark);
      },
      onEnd: () => {
        if (this.#state === "shaking") this.#finish({ how: "closed" });
        else this.#connection.onEnd();
      },
      onError: (error) => {
        if (this.#state === "shaking") this.#finish({ how: "error", error });
        else this.#connection.onError(error);
      },
    };
    end.raw.listen(limits.rawTlsTurnBytesMax, listener, recordLength);
    // There is nothing to read yet: this writes our first message.
    end.session.shakeHands();
    this.#connection.send();
  }

  abandon(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#connection.close();
  }

  #shakeHands(): void {
    const { session, times } = this.#end;
    const step = session.shakeHands();
    const done = times.acted();
    if (step.how === "done") times.owe();
    // Also of a handshake that failed: the peer learns why by an alert.
    this.#connection.send();
    switch (step.how) {
      case "wants":
        return;
      case "closed":
        return this.#finish({ how: "closed" });
      case "failed":
        return this.#finish({ how: "error", error: tlsError(step.code) });
      case "done":
        return this.#finish(this.#secured(done));
    }
  }

  #secured(done: Mark): TlsEnd<Line> {
    const { times } = this.#end;
    const theirs = times.arrived();
    const ours = times.leftSince(this.#begun) ?? times.left(done);
    try {
      const shown = this.#shown();
      const line = this.#connection.line(shown.alpn, times);
      return { how: "secured", line, ready: ours.at < theirs.at ? theirs : ours, shown };
    } catch (error) {
      return { how: "error", error: Error.isError(error) ? error : new Error(String(error)) };
    }
  }

  #shown(): ShownTls {
    const { session, chains } = this.#end;
    const { verified, ...settled } = session.settled();
    return { ...settled, fault: verificationName(verified), chain: chains.of(session.chain()) };
  }

  #finish(ended: TlsEnd<Line>): void {
    this.#state = "over";
    if (ended.how !== "secured") this.#connection.close();
    this.#onEnd(ended);
  }
}

/** A record of TLS has a head of five bytes, the last two of which say how long the rest is (RFC 8446 §5.1). */
const recordLength = (bytes: Uint8Array): number => 5 + (bytes[3] ?? 0) * 256 + (bytes[4] ?? 0);
