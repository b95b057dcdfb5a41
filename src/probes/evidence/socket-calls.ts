import type * as Ffi from "node:ffi";
import { isIPv6 } from "node:net";
import { writtenAddress } from "#network/address-block";
import {
  errnoName,
  inet,
  inet6,
  recvErr,
  recvErr6,
  solSocket,
  solTcp,
} from "#probes/linux-numbers";

/** Connections that the runtime cannot make: what they are for is set before the first packet leaves. */
export interface SocketCalls {
  /** A connection that is being made and goes so many hops far; below zero where there is none. */
  trace(end: PathEnd, hops: number): number;
  /** One over which neither side sends more than so many bytes in a packet. */
  narrow(end: PathEnd, bytes: number): number;
  close(descriptor: number): void;
}

/** An address and port that a check has just dialled: the guard let it through. */
export interface PathEnd {
  readonly address: string;
  readonly port: number;
}

/** Opens the C library once; null where this runtime or system has no means for it. */
export function openSocketCalls(): SocketCalls | null {
  try {
    return process.platform === "linux" ? linuxSocketCalls() : null;
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
const layout = { name: 0, value: 32 } as const;

function linuxSocketCalls(): SocketCalls | null {
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
  const begin = (descriptor: number, { address, port }: PathEnd): boolean => {
    const bytes = writeName(arena, address, port);
    if (bytes === null) return false;
    if (functions.connect(descriptor, base, bytes) === 0) return true;
    return ffi.getInt32(functions[errnoName](), 0) === inProgress;
  };
  const open = (end: PathEnd, prepared: (descriptor: number) => boolean): number => {
    const descriptor = functions.socket(isIPv6(end.address) ? inet6 : inet, streamNonBlocking, 0);
    if (descriptor < 0 || (prepared(descriptor) && begin(descriptor, end))) return descriptor;
    functions.close(descriptor);
    return -1;
  };
  return {
    trace: (end, hops) => {
      const { level, ttl, name } = isIPv6(end.address) ? ipv6 : ip;
      // A lingering of no time ends it by a reset: the target keeps nothing of it.
      return open(
        end,
        (descriptor) =>
          set(descriptor, level, ttl, hops) &&
          set(descriptor, level, name, 1) &&
          set(descriptor, solTcp, tcpSynCount, 1) &&
          set(descriptor, solSocket, soLinger, 1, 0),
      );
    },
    narrow: (end, bytes) => open(end, (descriptor) => set(descriptor, solTcp, tcpMaxSeg, bytes)),
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
