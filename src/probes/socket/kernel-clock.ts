import type * as Ffi from "node:ffi";
import type { Socket as DatagramSocket } from "node:dgram";
import type { Socket } from "node:net";
import {
  clockRealtime,
  inet,
  rttAt,
  solTcp,
  tcpInfo,
  totalRetransAt,
} from "#probes/socket/linux-numbers";
import { nanos, type Nanos } from "#base/units";

/**
 * Asks the kernel when things happened. The event of a connection or a datagram reaches JavaScript 100 µs and
 * more after it; the kernel knows the instant. It needs node:ffi and glibc on Linux; elsewhere the answer is always
 * null, and the event's time is taken.
 */
export interface KernelClock {
  readonly available: boolean;
  /** From SYN to SYN-ACK of a connected socket; null if the kernel cannot say. */
  handshake(socket: Socket): Nanos | null;
  /** Has the kernel note when each datagram comes to this socket. */
  noteArrivals(socket: DatagramSocket): void;
  /** How long ago the datagram came that was read last; null if the kernel cannot say. */
  sinceArrival(socket: DatagramSocket): Nanos | null;
}

export const noKernelClock: KernelClock = {
  available: false,
  handshake: () => null,
  noteArrivals: () => {},
  sinceArrival: () => null,
};

/**
 * Opens the C library once; a runtime or system without it gets the clock that knows nothing. `onOpened` gets a
 * descriptor that stays open: the runtime does not know it, and would not close it with the thread.
 */
export function openKernelClock(onOpened: (descriptor: number) => void = () => {}): KernelClock {
  try {
    return linuxKernelClock(onOpened);
  } catch {
    return noKernelClock;
  }
}

// linux/tcp.h: struct tcp_info begins with eight bytes of flags, then 32-bit fields.
const tcpInfoBytes = 104;

// socket(7): the arrival of the datagram passed on last, as seconds and nanoseconds of the wall clock.
const siocgstampns = 0x8907n;
const datagramCloseOnExec = 0o2000002;
const timespecBytes = 16;

/** An arrival further back than this is a step of the wall clock between two readings, not a delay. */
const sinceArrivalMax = 10e9;

function linuxKernelClock(onOpened: (descriptor: number) => void): KernelClock {
  // Loaded only here: node:ffi does not exist in other runtimes, and is announced as experimental if it does.
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) return noKernelClock;
  const { functions } = ffi.dlopen("libc.so.6", {
    getsockopt: { arguments: ["i32", "i32", "i32", "pointer", "pointer"], return: "i32" },
    ioctl: { arguments: ["i32", "u64", "pointer"], return: "i32" },
    clock_gettime: { arguments: ["i32", "pointer"], return: "i32" },
    socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  });
  const info = Buffer.alloc(tcpInfoBytes);
  const length = Buffer.alloc(4);
  const arrival = Buffer.alloc(timespecBytes);
  const wall = Buffer.alloc(timespecBytes);
  // The kernel begins to stamp a moment after the first socket asks for it, and ends with the last one that did: this
  // one asks for as long as the thread lives, or the first answer of every lone check would go unstamped.
  const keeper = functions.socket(inet, datagramCloseOnExec, 0);
  functions.ioctl(keeper, siocgstampns, arrival);
  if (keeper >= 0) onOpened(keeper);
  return {
    available: true,
    handshake: (socket) => {
      const fd = descriptorOf(Reflect.get(socket, "_handle"));
      if (fd === null) return null;
      length.writeUInt32LE(tcpInfoBytes);
      if (functions.getsockopt(fd, solTcp, tcpInfo, info, length) !== 0) return null;
      return length.readUInt32LE() < tcpInfoBytes ? null : roundTripIn(info);
    },
    noteArrivals: (socket) => {
      // The first question finds nothing, and switches the noting on.
      const fd = descriptorOf(handleOf(socket));
      if (fd !== null) functions.ioctl(fd, siocgstampns, arrival);
    },
    sinceArrival: (socket) => {
      const fd = descriptorOf(handleOf(socket));
      if (fd === null || functions.ioctl(fd, siocgstampns, arrival) !== 0) return null;
      if (functions.clock_gettime(clockRealtime, wall) !== 0) return null;
      const since = elapsed(arrival, wall);
      return since < 0 || since > sinceArrivalMax ? null : nanos(since);
    },
  };
}

function roundTripIn(info: Buffer): Nanos | null {
  // A SYN that was sent again is not in the kernel's figure (Karn's algorithm): the event knows better.
  if (info.readUInt32LE(totalRetransAt) > 0) return null;
  const rtt = info.readUInt32LE(rttAt);
  return rtt === 0 ? null : nanos(rtt * 1000);
}

/** From one timespec to another, in nanoseconds: both parts are subtracted apart, so that no digit is lost. */
const elapsed = (from: Buffer, to: Buffer): number =>
  Number(to.readBigInt64LE(0) - from.readBigInt64LE(0)) * 1e9 +
  Number(to.readBigInt64LE(8) - from.readBigInt64LE(8));

/** Node has no public way to the handle of a datagram socket: it lies under a symbol. */
function handleOf(socket: DatagramSocket): unknown {
  const state: unknown = Reflect.get(socket, stateSymbolOf(socket));
  return typeof state === "object" && state !== null ? Reflect.get(state, "handle") : null;
}

const stateSymbolOf = (socket: DatagramSocket): symbol =>
  Object.getOwnPropertySymbols(socket).find(({ description }) => description === "state symbol") ??
  Symbol.iterator;

/** The one place that looks into a socket: Node has no public way to the descriptor. */
export function descriptorOf(handle: unknown): number | null {
  if (typeof handle !== "object" || handle === null) return null;
  const fd: unknown = Reflect.get(handle, "fd");
  return typeof fd === "number" && fd >= 0 ? fd : null;
}
