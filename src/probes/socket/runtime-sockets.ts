import { createSocket } from "node:dgram";
import { connect, isIPv6, type Socket } from "node:net";
import type { Clock } from "#base/clock";
import { type KernelClock, noKernelClock } from "#probes/socket/kernel-clock";
import { socketLine } from "#probes/socket/line";
import { eventTimes } from "#probes/socket/wire-times";
import { loopMarker, type Mark, type Marker } from "#probes/socket/marker";
import {
  type Attempt,
  type ConnectListener,
  type DatagramListener,
  type DatagramSocket,
  EchoProhibition,
  type MeasuredMark,
  type Sockets,
} from "#probes/socket/sockets";
import { noSocketEvidence, type SocketEvidence } from "#probes/socket/socket-evidence";
import { socketWitness, type SocketWitness } from "#probes/socket/witness";
import { type Nanos, nanos } from "#base/units";

/** Sockets for whoever measures nothing. */
export const plainSockets = (clock: Clock): Sockets =>
  runtimeSockets(loopMarker(clock), noKernelClock, noSocketEvidence);

/** The runtime's sockets. What the kernel knows of their instants is asked for if it can be. */
export const runtimeSockets = (
  marker: Marker,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
): Sockets => ({
  connect: (address, port, listener) =>
    new RuntimeAttempt({ address, port }, listener, { marker, kernelClock, evidence }),
  datagrams: (address, port, listener) =>
    datagramsTo({ address, port }, listener, marker, kernelClock),
  echoes: (_address, listener) => {
    queueMicrotask(() => listener.onFailed(new EchoProhibition(noRawSockets)));
    return { source: null, send: () => null, read: () => {}, close: () => {} };
  },
});

const noRawSockets =
  "the sockets of Node.js cannot ping, and raw sockets are not in use here: picket doctor says why";

interface Peer {
  readonly address: string;
  readonly port: number;
}

/** What knows the instants of a connection, and what became of it. */
interface KernelKnowledge {
  readonly marker: Marker;
  readonly kernelClock: KernelClock;
  readonly evidence: SocketEvidence;
}

class RuntimeAttempt implements Attempt {
  readonly witness: SocketWitness;
  readonly #listener: ConnectListener;
  readonly #marker: Marker;
  readonly #kernelClock: KernelClock;
  readonly #socket: Socket;
  #startedAt: Nanos;
  #isOver = false;

  constructor(
    { address, port }: Peer,
    listener: ConnectListener,
    { marker, kernelClock, evidence }: KernelKnowledge,
  ) {
    this.#listener = listener;
    this.#marker = marker;
    this.#kernelClock = kernelClock;
    this.#socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
    this.witness = socketWitness(this.#socket, address, evidence);
    this.#startedAt = marker.acted().at;
    this.#socket.once("connectionAttempt", () => this.#onAttempt());
    this.#socket.once("connect", () => this.#onConnected());
    this.#socket.once("error", (error) => this.#onError(error));
  }

  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // A socket that is destroyed while it connects may still emit an error.
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }

  /** The call that sends the SYN follows at once: the SYN has left when it returns, which the next tick sees. */
  #onAttempt(): void {
    const calling = this.#marker.acted();
    process.nextTick(() => {
      if (this.#isOver) return;
      const sent = this.#marker.since(calling);
      this.#startedAt = sent.at;
      this.witness.begun();
      this.#listener.onSyn(sent);
    });
  }

  #onConnected(): void {
    const observed = this.#marker.observed();
    if (this.#isOver) return;
    this.#isOver = true;
    const socket = this.#socket;
    const handshake = this.#kernelClock.handshake(socket);
    const connected = connectedMark(this.#startedAt, handshake, observed);
    this.witness.connected();
    socket.removeAllListeners("error");
    this.#listener.onConnected(socketLine(socket, eventTimes(this.#marker)), connected);
  }

  #onError(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onFailed(error, this.#marker.observed());
    this.#socket.destroy();
  }
}

/** The event comes late, by however long the loop was busy; where the kernel knows the instant, that one counts. */
function connectedMark(startedAt: Nanos, handshake: Nanos | null, observed: Mark): MeasuredMark {
  if (handshake === null) return { mark: observed, measuredBy: "event" };
  const at = nanos(Math.min(startedAt + handshake, observed.at));
  return { mark: { at, errorBar: nanos(0) }, measuredBy: "kernel" };
}

function datagramsTo(
  { address, port }: Peer,
  listener: DatagramListener,
  marker: Marker,
  kernelClock: KernelClock,
): DatagramSocket {
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  let sending: Mark | null = null;
  // ICMP's "port unreachable" arrives here as ECONNREFUSED.
  socket.on("error", (error) => listener.onFailed(error));
  socket.on("message", (bytes) => {
    listener.onMessage(bytes, () => {
      const observed = marker.observed();
      // The kernel was asked at some moment between these two.
      const since = kernelClock.sinceArrival(socket);
      const asked = marker.since(observed);
      const at = nanos(asked.at - (since ?? 0));
      // It stamps by the wall clock: what came before the query left came while that clock was set.
      return since === null || sending === null || at <= sending.at
        ? { mark: observed, measuredBy: "event" }
        : { mark: { at, errorBar: asked.errorBar }, measuredBy: "kernel" };
    });
  });
  // The event, not the callback: that one would be called with an error as well.
  socket.once("connect", () => {
    const query = listener.onReady();
    kernelClock.noteArrivals(socket);
    sending = marker.acted();
    socket.send(query, (error) => {
      if (error === null) listener.onSent(sent);
      else listener.onFailed(error);
    });
    // The query has left when the call returns; its callback comes later.
    const sent = marker.since(sending);
    listener.onSending(sent);
  });
  socket.connect(port, address);
  return {
    close: () => {
      socket.removeAllListeners("connect");
      socket.close();
    },
  };
}
