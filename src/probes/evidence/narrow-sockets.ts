import { Socket } from "node:net";
import { tcpStates } from "#check/evidence";
import type { Clock } from "#base/clock";
import * as limits from "#limits/vantage-limits";
import { socketLine } from "#probes/socket/line";
import type { Marker } from "#probes/socket/marker";
import { plainSockets } from "#probes/socket/runtime-sockets";
import type { Attempt, ConnectListener, Sockets } from "#probes/socket/sockets";
import { eventTimes } from "#probes/socket/wire-times";
import { openSocketCalls, type PathEnd, type SocketCalls } from "#probes/socket/socket-calls";
import { openSocketEvidence, type SocketEvidence } from "#probes/socket/socket-evidence";
import { noWitness } from "#probes/socket/witness";

/**
 * Sockets over which only small packets pass, in both directions: what works over them and not over others crosses a link
 * that drops large packets and does not say so (RFC 2923 §2.1). Null if this runtime or system has no means for it.
 */
export function narrowSockets(marker: Marker, clock: Clock): Sockets | null {
  const calls = openSocketCalls();
  const evidence = openSocketEvidence();
  if (calls === null || !evidence.available) return null;
  const plain = plainSockets(clock);
  return {
    connect: (address, port, listener) =>
      connectTo({ address, port }, listener, { calls, evidence, marker, clock }),
    datagrams: (...what) => plain.datagrams(...what),
    echoes: (...what) => plain.echoes(...what),
  };
}

interface NarrowTools {
  readonly calls: SocketCalls;
  readonly evidence: SocketEvidence;
  readonly marker: Marker;
  readonly clock: Clock;
}

function connectTo(end: PathEnd, listener: ConnectListener, tools: NarrowTools): Attempt {
  const over = new AbortController();
  void connect(end, listener, tools, over.signal);
  return { witness: noWitness, abandon: () => over.abort() };
}

/** The runtime owns the descriptor once the connection is there; until then it is closed here in every case. */
async function connect(
  end: PathEnd,
  listener: ConnectListener,
  { calls, evidence, marker, clock }: NarrowTools,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(limits.traceLookEvery, signal);
  const descriptor = signal.aborted ? -1 : calls.narrow(end, limits.narrowSegmentBytes);
  for (;;) {
    const state =
      descriptor < 0 ? tcpStates.closed : evidence.of(descriptor, end.address)?.tcp?.state;
    if (state === tcpStates.established && !signal.aborted) {
      const socket = new Socket({ fd: descriptor });
      const connected = { mark: marker.observed(), measuredBy: "event" } as const;
      return listener.onConnected(socketLine(socket, eventTimes(marker)), connected);
    }
    if (signal.aborted || state === tcpStates.closed || state === undefined) break;
    await clock.sleep(limits.traceLookEvery, signal);
  }
  if (descriptor >= 0) calls.close(descriptor);
  if (!signal.aborted)
    listener.onFailed(new Error("the narrow connection was refused"), marker.observed());
}
