import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import type { Clock } from "#clock";
import { type KernelClock, noKernelClock } from "#probes/connection/kernel-clock";
import { socketLine } from "#probes/connection/line";
import { eventTimes } from "#probes/connection/wire-times";
import { loopMarker, type Mark, type Marker } from "#probes/connection/marker";
import type {
  Attempt,
  ConnectListener,
  DatagramListener,
  DatagramSocket,
  MeasuredMark,
  Sockets,
} from "#probes/connection/sockets";
import { noSocketEvidence, type SocketEvidence } from "#probes/evidence/socket-evidence";
import { socketWitness } from "#probes/evidence/witness";
import { nanos } from "#units";

/** Sockets for whoever measures nothing. */
export const plainSockets = (clock: Clock): Sockets =>
  runtimeSockets(loopMarker(clock), noKernelClock, noSocketEvidence);

/** The runtime's sockets. What the kernel knows of their instants is asked for where it can be. */
export const runtimeSockets = (
  marker: Marker,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
): Sockets => ({
  connect: (address, port, listener) =>
    connectTo({ address, port }, listener, { marker, kernelClock, evidence }),
  datagrams: (address, port, listener) =>
    datagramsTo({ address, port }, listener, marker, kernelClock),
});

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

function connectTo(
  { address, port }: Peer,
  listener: ConnectListener,
  { marker, kernelClock, evidence }: KernelKnowledge,
): Attempt {
  const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
  const witness = socketWitness(socket, address, evidence);
  let startedAt = marker.acted().at;
  let isOver = false;
  // The call that sends the SYN follows at once: the SYN has left when it returns, which the next tick sees.
  socket.once("connectionAttempt", () => {
    const calling = marker.acted();
    process.nextTick(() => {
      if (isOver) return;
      const sent = marker.since(calling);
      startedAt = sent.at;
      witness.begun();
      listener.onSyn(sent);
    });
  });
  // The event comes late, by however long the loop was busy; where the kernel knows the instant, that one counts.
  socket.once("connect", () => {
    const observed = marker.observed();
    if (isOver) return;
    isOver = true;
    const handshake = kernelClock.handshake(socket);
    witness.connected();
    socket.removeAllListeners("error");
    const connected: MeasuredMark =
      handshake === null
        ? { mark: observed, measuredBy: "event" }
        : {
            mark: { at: nanos(Math.min(startedAt + handshake, observed.at)), errorBar: nanos(0) },
            measuredBy: "kernel",
          };
    listener.onConnected(socketLine(socket, eventTimes(marker)), connected);
  });
  socket.once("error", (error) => {
    if (isOver) return;
    isOver = true;
    const observed = marker.observed();
    listener.onFailed(error, observed);
    socket.destroy();
  });
  return {
    witness,
    abandon: () => {
      if (isOver) return;
      isOver = true;
      // A socket that is destroyed while it connects may still emit an error.
      socket.on("error", () => {});
      socket.destroy();
    },
  };
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
