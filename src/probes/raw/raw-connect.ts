import * as limits from "#limits/probes-limits";
import type { Mark, Marker } from "#probes/socket/marker";
import type { Attempt, ConnectListener, MeasuredMark } from "#probes/socket/sockets";
import { inProgress, isEnding, systemError } from "#probes/raw/kernel-calls";
import type { SocketEvidence } from "#probes/socket/socket-evidence";
import { RawWitness } from "#probes/raw/raw-witness";
import { RawConnection } from "#probes/raw/raw-connection";
import { RawLine } from "#probes/raw/raw-line";
import type { RawTls } from "#probes/raw/raw-tls";
import type { RawLoop } from "#probes/raw/raw-loop";
import { nanos, type Nanos } from "#base/units";

/** What the raw sockets of one thread share. */
export interface RawTools {
  readonly loop: RawLoop;
  readonly marker: Marker;
  readonly evidence: SocketEvidence;
  /** Null if only the runtime speaks TLS. */
  readonly tls: RawTls | null;
}

/** Dials an address by a raw socket. */
export function connectRaw(
  address: string,
  port: number,
  listener: ConnectListener,
  tools: RawTools,
): Attempt {
  const attempt = new RawAttempt(address, port, listener, tools);
  attempt.start();
  return attempt;
}

/**
 * The SYN has no stamp. It left within the call that sent it, and by the handshake's time before its answer was
 * noticed. Its answer came the handshake's time after it: if the thread lost its processor in that call, both are off
 * together, and the time between them is not. A peer on this machine has answered before the call returns: so it is asked at
 * once, which saves a turn of the loop, and places the SYN between fewer instants.
 *
 *     call ───●─── return ──── noticed
 *             └── handshake ──┘
 */
class RawAttempt implements Attempt {
  readonly witness: RawWitness;
  readonly #address: string;
  readonly #port: number;
  readonly #listener: ConnectListener;
  readonly #loop: RawLoop;
  readonly #marker: Marker;
  readonly #tls: RawTls | null;
  #state: "connecting" | "connected" | "over" = "connecting";
  #descriptor = -1;
  #watchId = 0;
  #calling: Nanos = nanos(0);
  #returned: Nanos = nanos(0);
  /** What the call that sent the SYN already had of it. */
  #handshake: Handshake | null = null;
  #raw: RawConnection | null = null;

  constructor(address: string, port: number, listener: ConnectListener, tools: RawTools) {
    this.#address = address;
    this.#port = port;
    this.#listener = listener;
    this.#loop = tools.loop;
    this.#marker = tools.marker;
    this.#tls = tools.tls;
    this.witness = new RawWitness(address, tools.evidence);
  }

  start(): void {
    const result = this.#call();
    queueMicrotask(() => {
      if (this.#state !== "connecting") return;
      if (result < 0) this.#fail(systemError(result, "connect", this.#address));
      else if (this.#handshake !== null) this.#onHandshake(this.#handshake);
      else this.#listener.onSyn(between(this.#calling, this.#returned));
    });
  }

  abandon(): void {
    if (this.#state === "connecting") this.#close();
  }

  /** Gives an error's number, negated, if there will be no connection. */
  #call(): number {
    const { calls } = this.#loop;
    this.#descriptor = this.#loop.open(this.#address, "stream");
    if (this.#descriptor < 0) return this.#descriptor;
    this.witness.begins(this.#descriptor);
    this.#calling = this.#loop.now();
    const called = calls.connect(this.#descriptor, this.#address, this.#port);
    this.#returned = this.#loop.now();
    if (called < 0 && called !== inProgress) return called;
    this.#handshake = this.#handshakeBy();
    if (this.#handshake !== null) return 0;
    this.#watchId = this.#loop.watch(this.#descriptor, (events) => this.#onChange(events));
    return Math.min(0, this.#watchId);
  }

  #onChange(events: number): void {
    if (this.#raw === null) this.#onConnectChange(events);
    else this.#raw.onChange(events);
  }

  #onConnectChange(events: number): void {
    const failed = isEnding(events) ? this.#loop.calls.connectError(this.#descriptor) : 0;
    if (failed < 0) return this.#fail(systemError(failed, "connect", this.#address));
    const observed = this.#marker.observed();
    const handshake = this.#handshakeBy(observed.at);
    const raw =
      handshake === null
        ? this.#connect({ mark: observed, measuredBy: "event" })
        : this.#onHandshake(handshake);
    raw.onChange(events);
  }

  #onHandshake({ syn, took }: Handshake): RawConnection {
    this.#listener.onSyn(syn);
    const mark = { ...syn, at: nanos(syn.at + took) };
    return this.#connect({ mark, measuredBy: "kernel" });
  }

  #connect(connected: MeasuredMark): RawConnection {
    this.#state = "connected";
    this.witness.connected();
    const raw = new RawConnection({
      loop: this.#loop,
      marker: this.#marker,
      descriptor: this.#descriptor,
      watchId: this.#watchId,
      where: this.#address,
      connected: connected.mark,
      witness: this.witness,
      onOwnWork: (from, to) => this.#listener.onOwnWork(from, to),
    });
    this.#raw = raw;
    this.#listener.onConnected(new RawLine(raw, this.#marker, this.#tls), connected);
    return raw;
  }

  /** Null if there is no connection yet, and where the kernel cannot say. It was there at `noticed`. */
  #handshakeBy(noticed?: Nanos): Handshake | null {
    const took = this.#loop.calls.handshake(this.#descriptor);
    if (took === null) return null;
    const latest = (noticed ?? this.#loop.now()) - took;
    return { took, syn: between(this.#calling, Math.min(this.#returned, latest)) };
  }

  #fail(error: Error): void {
    const observed = this.#marker.observed();
    this.#close();
    this.#listener.onFailed(error, observed);
  }

  #close(): void {
    this.#state = "over";
    if (this.#watchId > 0) this.#loop.unwatch(this.#watchId);
    if (this.#descriptor < 0) return;
    this.witness.ends();
    this.#loop.close(this.#descriptor);
  }
}

/** When the SYN left, and how long its answer took. */
interface Handshake {
  readonly syn: Mark;
  readonly took: Nanos;
}

/**
 * The SYN left between two instants. If they are far apart it left soon after the first: a thread loses its processor in that
 * call mostly when the answer wakes the peer, and that is later.
 */
function between(from: Nanos, to: number): Mark {
  const span = Math.max(0, to - from);
  const after = span > limits.rawHandshakeErrorMax ? limits.rawSynAfter : span / 2;
  const mark = { at: nanos(from + after), errorBar: nanos(span - after) };
  const shift = mark.errorBar - limits.rawHandshakeErrorMax;
  return shift > 0 ? { ...mark, shift: { errorBar: nanos(shift) } } : mark;
}
