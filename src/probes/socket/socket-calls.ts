import type * as Ffi from "node:ffi";
import { isIPv6 } from "node:net";
import type { PathFlow } from "#check/known-path";
import { writtenAddress } from "#network/address-block";
import { timespecAt, type WallNanos } from "#probes/socket/round-trip";
import {
  allButReplies,
  clockRealtime,
  errnoName,
  icmpFilter,
  inet,
  inet6,
  recvErr,
  recvErr6,
  solRaw,
  solSocket,
  solTcp,
  timestampNs,
} from "#probes/socket/linux-numbers";

/** Connections that the runtime cannot make: what they are for is set before the first packet leaves. */
export interface SocketCalls {
  /** A socket whose packets go so many hops far, with stamps of what refuses them; below zero if there is none. */
  traceSocket(end: PathEnd, hops: number): number;
  /** Has the first packet of a socket leave; false if it cannot. */
  connect(descriptor: number, end: PathEnd): boolean;
  /**
   * A socket whose packets all take one flow, so many hops far: of TCP, of UDP, or for echoes. These have the kernel's socket, or
   * a raw one if this process may have that alone. Below zero if there is none, e.g. because its port is in use.
   */
  flowSocket(flow: PathFlow, hops: number): number;
  /** Whether what is sent now has left. */
  send(descriptor: number, bytes: Uint8Array): boolean;
  /** The beginning of what came; null if nothing did. */
  received(descriptor: number): Buffer | null;
  /** The clock of the stamps. */
  wall(): WallNanos;
  /** A connection that is being made; neither side sends more than so many bytes in a packet. Below zero if there is none. */
  narrow(end: PathEnd, bytes: number): number;
  close(descriptor: number): void;
}

/** An address and port that a check has just dialled: the guard let it through. */
export interface PathEnd {
  readonly address: string;
  readonly port: number;
}

/** Opens the C library once; null if this runtime or system has no means for it. */
export function openSocketCalls(): SocketCalls | null {
  try {
    const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
    return process.platform === "linux" && ffi !== undefined ? new LinuxSocketCalls(ffi) : null;
  } catch {
    return null;
  }
}

// sys/socket.h, netinet/in.h and netinet/tcp.h.
const streamNonBlocking = 0o2004001;
const soLinger = 13;
const tcpMaxSeg = 2;
const tcpSynCount = 7;
const datagramNonBlocking = 0o2004002;
const rawNonBlocking = 0o2004003;
const protocols = { icmp: 1, icmp6: 58 } as const;
const dontWait = 0x40;
const noSignal = 0x4000;
const ip = { ...recvErr, ttl: 2 } as const;
const ipv6 = { ...recvErr6, ttl: 16 } as const;
const inProgress = 115;
// EPERM and EACCES.
const forbidden: ReadonlySet<number> = new Set([1, 13]);

/** What C reads lies in one memory that never moves. */
const layout = { name: 0, value: 32, time: 48, bytes: 64 } as const;
const bytesMax = 512;
const arenaBytes = layout.bytes + bytesMax;

const definitions = {
  socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  connect: { arguments: ["i32", "u64", "u32"], return: "i32" },
  bind: { arguments: ["i32", "u64", "u32"], return: "i32" },
  send: { arguments: ["i32", "u64", "u64", "i32"], return: "i64" },
  recv: { arguments: ["i32", "u64", "u64", "i32"], return: "i64" },
  setsockopt: { arguments: ["i32", "i32", "i32", "u64", "u32"], return: "i32" },
  clock_gettime: { arguments: ["i32", "u64"], return: "i32" },
  close: { arguments: ["i32"], return: "i32" },
  [errnoName]: { arguments: [], return: "u64" },
} as const;

class LinuxSocketCalls implements SocketCalls {
  readonly #ffi: typeof Ffi;
  readonly #c: Ffi.DynamicLibraryResult<typeof definitions>["functions"];
  readonly #arena = Buffer.from(new ArrayBuffer(arenaBytes));
  readonly #base: bigint;

  constructor(ffi: typeof Ffi) {
    this.#ffi = ffi;
    this.#c = ffi.dlopen(null, definitions).functions;
    this.#base = ffi.getRawPointer(this.#arena);
  }

  traceSocket(end: PathEnd, hops: number): number {
    return this.#open(
      end,
      (descriptor) => this.#reaches(descriptor, end, hops) && this.#isBrief(descriptor),
    );
  }

  flowSocket(flow: PathFlow, hops: number): number {
    const isBound = (descriptor: number): boolean => {
      const any = isIPv6(flow.address) ? "::" : "0.0.0.0";
      const length = writeName(this.#arena, any, flow.sourcePort);
      return length !== null && this.#c.bind(descriptor, this.#base, length) === 0;
    };
    if (flow.protocol === "tcp")
      return this.#open(
        flow,
        (one) => this.#reaches(one, flow, hops) && this.#isBrief(one) && isBound(one),
      );
    const isReady = (one: number): boolean => this.#reaches(one, flow, hops) && isBound(one);
    if (flow.protocol === "udp") return this.#open(flow, isReady, datagramNonBlocking);
    const echoes = isIPv6(flow.address) ? protocols.icmp6 : protocols.icmp;
    const own = this.#open(flow, isReady, datagramNonBlocking, echoes);
    return own >= 0 || !forbidden.has(this.#errno())
      ? own
      : this.#open(flow, (one) => this.#isRawEcho(one, flow, hops), rawNonBlocking, echoes);
  }

  /** It gets the replies of every ping to whom it is connected to. */
  #isRawEcho(descriptor: number, flow: PathFlow, hops: number): boolean {
    if (!this.#reaches(descriptor, flow, hops)) return false;
    return isIPv6(flow.address) || this.#set(descriptor, solRaw, icmpFilter, allButReplies);
  }

  send(descriptor: number, bytes: Uint8Array): boolean {
    if (bytes.length > bytesMax) return false;
    this.#arena.set(bytes, layout.bytes);
    const at = this.#base + BigInt(layout.bytes);
    const flags = dontWait | noSignal;
    return Number(this.#c.send(descriptor, at, BigInt(bytes.length), flags)) === bytes.length;
  }

  received(descriptor: number): Buffer | null {
    const at = this.#base + BigInt(layout.bytes);
    const got = Number(this.#c.recv(descriptor, at, BigInt(bytesMax), dontWait));
    return got < 0 ? null : Buffer.from(this.#arena.subarray(layout.bytes, layout.bytes + got));
  }

  narrow(end: PathEnd, bytes: number): number {
    return this.#open(
      end,
      (descriptor) =>
        this.#set(descriptor, solTcp, tcpMaxSeg, bytes) && this.connect(descriptor, end),
    );
  }

  connect(descriptor: number, { address, port }: PathEnd): boolean {
    const bytes = writeName(this.#arena, address, port);
    if (bytes === null) return false;
    if (this.#c.connect(descriptor, this.#base, bytes) === 0) return true;
    return this.#errno() === inProgress;
  }

  #errno(): number {
    return this.#ffi.getInt32(this.#c[errnoName](), 0);
  }

  wall(): WallNanos {
    this.#c.clock_gettime(clockRealtime, this.#base + BigInt(layout.time));
    return timespecAt(this.#arena, layout.time);
  }

  close(descriptor: number): void {
    this.#c.close(descriptor);
  }

  /** How far its packets go, and that the kernel keeps and stamps what ends them. */
  #reaches(descriptor: number, { address }: Pick<PathEnd, "address">, hops: number): boolean {
    const { level, ttl, name } = isIPv6(address) ? ipv6 : ip;
    // A kernel that cannot stamp shows the way anyway.
    this.#set(descriptor, solSocket, timestampNs, 1);
    return this.#set(descriptor, level, ttl, hops) && this.#set(descriptor, level, name, 1);
  }

  /** One packet, and a lingering of no time, which ends it by a reset: the target keeps nothing of it. */
  #isBrief(descriptor: number): boolean {
    return (
      this.#set(descriptor, solTcp, tcpSynCount, 1) &&
      this.#set(descriptor, solSocket, soLinger, 1, 0)
    );
  }

  #open(
    { address }: Pick<PathEnd, "address">,
    isPrepared: (descriptor: number) => boolean,
    type: number = streamNonBlocking,
    protocol: number = 0,
  ): number {
    const descriptor = this.#c.socket(isIPv6(address) ? inet6 : inet, type, protocol);
    if (descriptor < 0 || isPrepared(descriptor)) return descriptor;
    this.close(descriptor);
    return -1;
  }

  #set(descriptor: number, level: number, option: number, ...values: number[]): boolean {
    values.forEach((value, index) => this.#arena.writeInt32LE(value, layout.value + 4 * index));
    const at = this.#base + BigInt(layout.value);
    return this.#c.setsockopt(descriptor, level, option, at, 4 * values.length) === 0;
  }
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
