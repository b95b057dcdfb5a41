import type * as Ffi from "node:ffi";
import { isIPv6 } from "node:net";
import { writtenAddress } from "#network/address-block";
import { timespecAt, type WallNanos } from "#probes/socket/round-trip";
import {
  clockRealtime,
  errnoName,
  inet,
  inet6,
  recvErr,
  recvErr6,
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
const ip = { ...recvErr, ttl: 2 } as const;
const ipv6 = { ...recvErr6, ttl: 16 } as const;
const inProgress = 115;

/** What C reads lies in one memory that never moves. */
const layout = { name: 0, value: 32, time: 48 } as const;
const arenaBytes = 64;

const definitions = {
  socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  connect: { arguments: ["i32", "u64", "u32"], return: "i32" },
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
    const { level, ttl, name } = isIPv6(end.address) ? ipv6 : ip;
    return this.#open(end, (descriptor) => {
      // A kernel that cannot stamp shows the way anyway.
      this.#set(descriptor, solSocket, timestampNs, 1);
      // A lingering of no time ends it by a reset: the target keeps nothing of it.
      return (
        this.#set(descriptor, level, ttl, hops) &&
        this.#set(descriptor, level, name, 1) &&
        this.#set(descriptor, solTcp, tcpSynCount, 1) &&
        this.#set(descriptor, solSocket, soLinger, 1, 0)
      );
    });
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
    return this.#ffi.getInt32(this.#c[errnoName](), 0) === inProgress;
  }

  wall(): WallNanos {
    this.#c.clock_gettime(clockRealtime, this.#base + BigInt(layout.time));
    return timespecAt(this.#arena, layout.time);
  }

  close(descriptor: number): void {
    this.#c.close(descriptor);
  }

  #open({ address }: PathEnd, isPrepared: (descriptor: number) => boolean): number {
    const descriptor = this.#c.socket(isIPv6(address) ? inet6 : inet, streamNonBlocking, 0);
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
