import { isIPv6 } from "node:net";
import { type PathHop, type PathTrace, type TcpState, tcpStates } from "#check/evidence";
import type { Clock } from "#base/clock";
import * as limits from "#limits/vantage-limits";
import { type EchoOfFlow, quotesEcho } from "#probes/socket/echo-message";
import { type ClockReading, readClocks, roundTripOf } from "#probes/socket/round-trip";
import { openSocketCalls, type PathEnd, type SocketCalls } from "#probes/socket/socket-calls";
import { openSocketEvidence, type SocketEvidence } from "#probes/socket/socket-evidence";
import { nanosToMillis } from "#base/units";

/** Finds how far packets to an end come, up to a number of hops; null if this runtime or system has no means for it. */
export type PathTracer = (
  end: PathEnd,
  hopsMax: number,
  signal: AbortSignal,
) => Promise<PathTrace | null>;

/**
 * A trace is connections to the very address and port that a check has just dialled, with a small TTL (RFC 791 §3.2):
 * the router at which that ends says so, and its message lies in the error queue of the socket. It needs no privilege.
 * One packet leaves for each hop: a socket is closed before the kernel would send its second.
 */
export function openPathTracer(clock: Clock): PathTracer {
  const calls = openSocketCalls();
  const evidence = openSocketEvidence();
  if (calls === null || !evidence.available) return nothing;
  return (end, hopsMax, signal) => trace({ calls, evidence, clock, signal }, end, hopsMax);
}

const nothing: PathTracer = async () => null;

interface TraceTools {
  readonly calls: SocketCalls;
  readonly evidence: SocketEvidence;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waves of a few: routers answer one sender some messages at once, and then about one a second. */
async function trace(tools: TraceTools, end: PathEnd, hopsMax: number): Promise<PathTrace | null> {
  const hops: PathHop[] = [];
  for (let first = 1; first <= hopsMax; first += limits.traceWave) {
    const length = Math.min(limits.traceWave, hopsMax - first + 1);
    const ttls = Array.from({ length }, (_, index) => first + index);
    const wave = await waveOf(tools, end, ttls);
    if (wave === null) return null;
    hops.push(...wave);
    if (wave.some(isEnd) || tools.signal.aborted) break;
  }
  const last = hops.findIndex(isEnd);
  const kept = last === -1 ? hops : hops.slice(0, last + 1);
  const reached = kept.at(-1)?.ended === "target";
  return { hops: withoutSilentEnd(kept), packets: hops.length, reached };
}

const isEnd = ({ ended }: PathHop): boolean => ended === "target" || ended === "refusal";

const withoutSilentEnd = (hops: readonly PathHop[]): readonly PathHop[] =>
  hops.slice(0, hops.findLastIndex(({ ended }) => ended !== "silence") + 1);

async function waveOf(
  tools: TraceTools,
  end: PathEnd,
  ttls: readonly number[],
): Promise<readonly PathHop[] | null> {
  const { calls, clock, signal } = tools;
  const open = ttls.map((ttl) => send(tools, end, ttl));
  const found = new Map<number, PathHop>();
  const until = nanosToMillis(clock.monotonic()) + limits.traceWavePatience;
  try {
    if (!open.every(({ isConnecting }) => isConnecting)) return null;
    while (found.size < open.length && nanosToMillis(clock.monotonic()) < until) {
      await clock.sleep(limits.traceLookEvery, signal);
      for (const packet of open) {
        const hop = found.has(packet.ttl) ? null : hopOf(tools, packet, end.address);
        if (hop !== null) found.set(packet.ttl, hop);
      }
      if (signal.aborted) break;
    }
    return ttls.map((ttl) => found.get(ttl) ?? silence(ttl));
  } finally {
    for (const { descriptor } of open) if (descriptor >= 0) calls.close(descriptor);
  }
}

/** What goes out for one hop. */
interface TracePacket {
  readonly ttl: number;
  readonly descriptor: number;
  /** The clocks just before it left. */
  readonly sent: ClockReading;
  /** What it is if it is a ping, whose socket may get what is about another; null if it is none. */
  readonly echo: EchoOfFlow | null;
  readonly isConnecting: boolean;
}

function send({ calls, clock }: TraceTools, end: PathEnd, ttl: number): TracePacket {
  const descriptor = calls.traceSocket(end, ttl);
  const sent = readClocks(clock, calls);
  return { ttl, descriptor, sent, echo: null, isConnecting: calls.connect(descriptor, end) };
}

export const silence = (ttl: number): PathHop => ({
  ttl,
  address: null,
  ended: "silence",
  roundTrip: null,
  icmp: null,
});

// RFC 792 and RFC 4443: time exceeded.
const exceeded = 11;
const exceeded6 = 3;

/** Null while nothing came of it. */
export function hopOf(
  { calls, evidence, clock }: Pick<TraceTools, "calls" | "evidence" | "clock">,
  { ttl, descriptor, sent, echo }: Omit<TracePacket, "isConnecting">,
  address: string,
): PathHop | null {
  const looked = readClocks(clock, calls);
  const sight = evidence.of(descriptor, address);
  if (sight === null) return null;
  const { refusedBy, stamp, quoted, tcp } = sight;
  if (refusedBy !== null && echo !== null && !quotesEcho(quoted, echo)) return null;
  // This machine itself is no hop: it says that it has no way, or forbids it.
  if (refusedBy?.from === "this machine") return null;
  if (refusedBy !== null) {
    const { sender, from, type, code } = refusedBy;
    const isExceeded = type === (isIPv6(sender) ? exceeded6 : exceeded);
    const ended = isExceeded ? "hop" : from === "the peer" ? "target" : "refusal";
    const roundTrip = roundTripOf(sent, stamp, looked);
    return { ttl, address: sender, ended, roundTrip, icmp: `${type}/${code}` };
  }
  return tcp !== null && isAnswered(tcp) ? { ...silence(ttl), address, ended: "target" } : null;
}

/**
 * An answer of the target's own: it accepts, or resets. After three seconds without one the kernel closes the socket as well, as
 * a thread that comes late sees it; it has sent its second packet then.
 */
const isAnswered = ({ state, retransmits }: TcpState): boolean =>
  state === tcpStates.established || (state === tcpStates.closed && retransmits === 0);
