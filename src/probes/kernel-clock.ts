import type * as Ffi from "node:ffi";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { nanos, type Nanos } from "#units";

/**
 * Asks the kernel how long a TCP handshake took. The event that tells JavaScript of a connection comes 100 µs and more
 * after the SYN-ACK; the kernel knows the instant. It needs node:ffi and glibc on Linux; elsewhere `handshake` is
 * always null, and the event's time is taken.
 */
export interface KernelClock {
  readonly available: boolean;
  /** From SYN to SYN-ACK of a connected socket; null where the kernel cannot say. */
  handshake(socket: Socket): Nanos | null;
}

export const noKernelClock: KernelClock = { available: false, handshake: () => null };

/** Opens the C library once; a runtime or system without it gets the clock that knows nothing. */
export function openKernelClock(): KernelClock {
  try {
    return linuxKernelClock();
  } catch {
    return noKernelClock;
  }
}

// tcp(7) and linux/tcp.h: struct tcp_info begins with eight bytes of flags, then 32-bit fields.
const solTcp = 6;
const tcpInfo = 11;
const tcpInfoBytes = 104;
const rttAt = 68;
const totalRetransAt = 100;

function linuxKernelClock(): KernelClock {
  // Loaded only here: node:ffi does not exist in other runtimes, and is announced as experimental where it does.
  const ffi: typeof Ffi = createRequire(import.meta.url)("node:ffi");
  const { functions } = ffi.dlopen("libc.so.6", {
    getsockopt: { arguments: ["i32", "i32", "i32", "pointer", "pointer"], return: "i32" },
  });
  const info = Buffer.alloc(tcpInfoBytes);
  const length = Buffer.alloc(4);
  return {
    available: true,
    handshake: (socket) => {
      const fd = descriptorOf(socket);
      if (fd === null) return null;
      length.writeUInt32LE(tcpInfoBytes);
      if (functions.getsockopt(fd, solTcp, tcpInfo, info, length) !== 0) return null;
      if (length.readUInt32LE() < tcpInfoBytes) return null;
      // A SYN that was sent again is not in the kernel's figure (Karn's algorithm): the event knows better.
      if (info.readUInt32LE(totalRetransAt) > 0) return null;
      const rtt = info.readUInt32LE(rttAt);
      return rtt === 0 ? null : nanos(rtt * 1000);
    },
  };
}

/** The one place that looks into a socket: Node gives the descriptor to nobody. */
function descriptorOf(socket: Socket): number | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return null;
  const fd: unknown = Reflect.get(handle, "fd");
  return typeof fd === "number" && fd >= 0 ? fd : null;
}
