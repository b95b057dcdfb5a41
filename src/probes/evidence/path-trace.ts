import type * as Ffi from "node:ffi";
import { isIPv6 } from "node:net";
import type { PathHop, PathTrace } from "#check/evidence";
import type { Clock } from "#clock";
import { writtenAddress } from "#network/address-block";
import * as limits from "#limits/vantage-limits";
import { openSocketEvidence, type SocketEvidence } from "#probes/evidence/socket-evidence";
import { nanosToMillis } from "#units";

/** Finds how far packets to an end come, up to a number of hops; null where this runtime or system has no means for it. */
export type PathTracer = (
  end: PathEnd,
  hopsMax: number,
  signal: AbortSignal,
) => Promise<PathTrace | null>;

/** An address and port that a check has just dialled: the guard let it through. */
export interface PathEnd {
  readonly address: string;
  readonly port: number;
}

/**
 * A trace is connections to the very address and port that a check has just dialled, with a small TTL (RFC 791 §3.2):
 * the router at which that ends says so, and its message lies in the error queue of the socket. It needs no privilege.
 * One packet leaves for each hop: a socket is closed before the kernel would send its second.
 */
export function openPathTracer(clock: Clock): PathTracer {
  try {
    const calls = process.platform === "linux" ? socketCalls() : null;
    const evidence = openSocketEvidence();
    if (calls === null || !evidence.available) return nothing;
    return (end, hopsMax, signal) => trace({ calls, evidence, clock, signal }, end, hopsMax);
  } catch {
    return nothing;
  }
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
  { calls, evidence, clock, signal }: TraceTools,
  { address, port }: PathEnd,
  ttls: readonly number[],
): Promise<readonly PathHop[] | null> {
  const open = ttls.map((ttl) => ({ ttl, descriptor: calls.open(address, port, ttl) }));
  const found = new Map<number, PathHop>();
  const until = nanosToMillis(clock.monotonic()) + limits.traceWavePatience;
  try {
    if (open.some(({ descriptor }) => descriptor < 0)) return null;
    while (found.size < open.length && nanosToMillis(clock.monotonic()) < until) {
      await clock.sleep(limits.traceLookEvery, signal);
      for (const { ttl, descriptor } of open) {
        const hop = found.has(ttl) ? null : hopOf(evidence, descriptor, address, ttl);
        if (hop !== null) found.set(ttl, hop);
      }
      if (signal.aborted) break;
    }
    return ttls.map((ttl) => found.get(ttl) ?? { ttl, address: null, ended: "silence" });
  } finally {
    for (const { descriptor } of open) if (descriptor >= 0) calls.close(descriptor);
  }
}

// linux/tcp_states.h, and RFC 792 and RFC 4443: time exceeded.
const established = 1;
const closed = 7;
const exceeded = 11;
const exceeded6 = 3;

/** Null while nothing came of it. */
function hopOf(
  evidence: SocketEvidence,
  descriptor: number,
  address: string,
  ttl: number,
): PathHop | null {
  const sight = evidence.of(descriptor, address);
  if (sight === null) return null;
  const { refusedBy, tcp } = sight;
  // This machine itself is no hop: it says that it has no way, or forbids it.
  if (refusedBy?.from === "this machine") return null;
  if (refusedBy !== null) {
    const isExceeded = refusedBy.type === (isIPv6(refusedBy.sender) ? exceeded6 : exceeded);
    const ended = isExceeded ? "hop" : refusedBy.from === "the peer" ? "target" : "refusal";
    return { ttl, address: refusedBy.sender, ended };
  }
  // An answer of the target's own: it accepts, or resets.
  const isAnswered = tcp !== null && (tcp.state === established || tcp.state === closed);
  return isAnswered ? { ttl, address, ended: "target" } : null;
}

interface SocketCalls {
  /** A connection that is being made with this TTL; below zero where there is none. */
  open(address: string, port: number, ttl: number): number;
  close(descriptor: number): void;
}

// sys/socket.h, netinet/in.h and netinet/tcp.h.
const inet = 2;
const inet6 = 10;
const streamNonBlocking = 0o2004001;
const solSocket = 1;
const soLinger = 13;
const solTcp = 6;
const tcpSynCount = 7;
const ip = { level: 0, ttl: 2, recvErr: 11 } as const;
const ipv6 = { level: 41, ttl: 16, recvErr: 25 } as const;
const inProgress = 115;
const errnoName = "__errno_location";

/** What C reads lies in one memory that never moves. */
const layout = { name: 0, value: 32 } as const;

function socketCalls(): SocketCalls | null {
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) return null;
  const { functions } = ffi.dlopen(null, {
    socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
    connect: { arguments: ["i32", "u64", "u32"], return: "i32" },
    setsockopt: { arguments: ["i32", "i32", "i32", "u64", "u32"], return: "i32" },
    close: { arguments: ["i32"], return: "i32" },
    [errnoName]: { arguments: [], return: "u64" },
  });
  const arena = Buffer.from(new ArrayBuffer(48));
  const base = ffi.getRawPointer(arena);
  const set = (descriptor: number, level: number, option: number, ...values: number[]): boolean => {
    values.forEach((value, index) => arena.writeInt32LE(value, layout.value + 4 * index));
    const at = base + BigInt(layout.value);
    return functions.setsockopt(descriptor, level, option, at, 4 * values.length) === 0;
  };
  const begin = (descriptor: number, address: string, port: number, ttl: number): boolean => {
    const { level, ttl: option, recvErr } = isIPv6(address) ? ipv6 : ip;
    // A lingering of no time ends it by a reset: the target keeps nothing of it.
    const isSet =
      set(descriptor, level, option, ttl) &&
      set(descriptor, level, recvErr, 1) &&
      set(descriptor, solTcp, tcpSynCount, 1) &&
      set(descriptor, solSocket, soLinger, 1, 0);
    const bytes = writeName(arena, address, port);
    if (!isSet || bytes === null) return false;
    if (functions.connect(descriptor, base, bytes) === 0) return true;
    return ffi.getInt32(functions[errnoName](), 0) === inProgress;
  };
  return {
    open: (address, port, ttl) => {
      const descriptor = functions.socket(isIPv6(address) ? inet6 : inet, streamNonBlocking, 0);
      if (descriptor < 0 || begin(descriptor, address, port, ttl)) return descriptor;
      functions.close(descriptor);
      return -1;
    },
    close: (descriptor) => void functions.close(descriptor),
  };
}

/** A struct sockaddr; its length, or null for what is no address, or has a zone. */
function writeName(arena: Buffer, address: string, port: number): number | null {
  arena.fill(0, layout.name, layout.value);
  arena.writeUInt16BE(port, layout.name + 2);
  if (!isIPv6(address)) {
    arena.writeUInt16LE(inet, layout.name);
    address.split(".").forEach((part, index) => arena.writeUInt8(Number(part), 4 + index));
    return 16;
  }
  const written = writtenAddress(address);
  if (written === null) return null;
  arena.writeUInt16LE(inet6, layout.name);
  arena.writeBigUInt64BE(written.value >> 64n, 8);
  arena.writeBigUInt64BE(written.value & 0xffff_ffff_ffff_ffffn, 16);
  return 28;
}
