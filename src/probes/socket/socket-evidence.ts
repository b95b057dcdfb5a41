import type * as Ffi from "node:ffi";
import { type IcmpRefusal, type TcpState, wasConnected } from "#check/evidence";
import { timespecAt, type WallNanos } from "#probes/socket/round-trip";
import { addressIn } from "#probes/socket/socket-address";
import {
  recvErr,
  recvErr6,
  solSocket,
  solTcp,
  tcpInfo,
  timestampNs,
} from "#probes/socket/linux-numbers";

/** What the kernel says of one socket. */
export interface SocketSight {
  readonly source: string | null;
  readonly refusedBy: IcmpRefusal | null;
  /** When that came; null if the socket did not ask for it. */
  readonly stamp: WallNanos | null;
  /** The beginning of the packet that it is about, without the header of IP. */
  readonly quoted: Buffer;
  readonly tcp: TcpState | null;
}

/**
 * Asks the kernel about a socket, by its descriptor, while that is still open. It needs node:ffi on Linux; elsewhere
 * the answer is always null, and a check has no evidence.
 */
export interface SocketEvidence {
  readonly available: boolean;
  /**
   * Has the kernel keep the refusals of a connection to an IPv6 address; of IPv4 it does so by itself. Once a connection
   * is there it has to be switched off: a stranger's message would end it.
   */
  keepRefusals(descriptor: number, kept: boolean): void;
  /** `peer` is the address that was dialled. */
  of(descriptor: number, peer: string): SocketSight | null;
}

export const noSocketEvidence: SocketEvidence = {
  available: false,
  keepRefusals: () => {},
  of: () => null,
};

/** Opens the C library once; a runtime or system without it gets what knows nothing. */
export function openSocketEvidence(): SocketEvidence {
  try {
    const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
    const isThere = process.platform === "linux" && ffi !== undefined;
    return isThere ? new LinuxSocketEvidence(ffi) : noSocketEvidence;
  } catch {
    return noSocketEvidence;
  }
}

// linux/tcp.h: struct tcp_info. Kernels before 4.6 end before the number of unsent bytes.
const tcpInfoBytes = 148;

// recvmsg(2) on 64-bit Linux, and cmsg(3).
const errorQueueAtOnce = 0x2000 | 0x40;
const nameBytes = 28;
/** Every router quotes so much of what it does not pass on. */
const quotedBytes = 8;
const controlBytes = 512;
const headerBytes = 16;

const originIcmp = 2;
const originIcmp6 = 3;
const offenderAt = 16;

/** All that C writes to lies in one memory, which never moves: the collector moves small buffers. */
const layout = {
  info: 0,
  length: 160,
  name: 176,
  message: 208,
  vector: 272,
  quoted: 288,
  control: 296,
} as const;
const arenaBytes = layout.control + controlBytes;

const definitions = {
  getsockopt: { arguments: ["i32", "i32", "i32", "u64", "u64"], return: "i32" },
  setsockopt: { arguments: ["i32", "i32", "i32", "u64", "u32"], return: "i32" },
  getsockname: { arguments: ["i32", "u64", "u64"], return: "i32" },
  recvmsg: { arguments: ["i32", "u64", "i32"], return: "i64" },
} as const;

class LinuxSocketEvidence implements SocketEvidence {
  readonly available = true;
  readonly #c: Ffi.DynamicLibraryResult<typeof definitions>["functions"];
  readonly #arena = Buffer.from(new ArrayBuffer(arenaBytes));
  readonly #base: bigint;

  constructor(ffi: typeof Ffi) {
    this.#c = ffi.dlopen(null, definitions).functions;
    this.#base = ffi.getRawPointer(this.#arena);
  }

  keepRefusals(descriptor: number, kept: boolean): void {
    this.#arena.writeInt32LE(kept ? 1 : 0, layout.length);
    this.#c.setsockopt(descriptor, recvErr6.level, recvErr6.name, this.#at(layout.length), 4);
  }

  of(descriptor: number, peer: string): SocketSight {
    const source = this.#nameOf(descriptor);
    const tcp = this.#stateOf(descriptor);
    return { source, tcp, ...this.#messageOf(descriptor, { source, peer }) };
  }

  #at(offset: number): bigint {
    return this.#base + BigInt(offset);
  }

  #nameOf(descriptor: number): string | null {
    this.#arena.writeUInt32LE(nameBytes, layout.length);
    const [name, length] = [this.#at(layout.name), this.#at(layout.length)];
    if (this.#c.getsockname(descriptor, name, length) !== 0) return null;
    const source = addressIn(viewOf(this.#arena), layout.name);
    return source === "0.0.0.0" || source === "::" ? null : source;
  }

  #stateOf(descriptor: number): TcpState | null {
    this.#arena.writeUInt32LE(tcpInfoBytes, layout.length);
    const [info, length] = [this.#at(layout.info), this.#at(layout.length)];
    if (this.#c.getsockopt(descriptor, solTcp, tcpInfo, info, length) !== 0) return null;
    return this.#arena.readUInt32LE(layout.length) < tcpInfoBytes ? null : stateIn(this.#arena);
  }

  #messageOf(descriptor: number, ends: SocketAddresses): ErrorMessage {
    const arena = this.#arena;
    arena.fill(0, layout.message, arenaBytes);
    arena.writeBigUInt64LE(this.#at(layout.quoted), layout.vector);
    arena.writeBigUInt64LE(BigInt(quotedBytes), layout.vector + 8);
    arena.writeBigUInt64LE(this.#at(layout.vector), layout.message + 16);
    arena.writeBigUInt64LE(1n, layout.message + 24);
    arena.writeBigUInt64LE(this.#at(layout.control), layout.message + 32);
    arena.writeBigUInt64LE(BigInt(controlBytes), layout.message + 40);
    const got = this.#c.recvmsg(descriptor, this.#at(layout.message), errorQueueAtOnce);
    if (Number(got) < 0) return noMessage;
    const quoted = Buffer.from(arena.subarray(layout.quoted, layout.quoted + Number(got)));
    return { ...messageIn(arena, arena.readUInt32LE(layout.message + 40), ends), quoted };
  }
}

function stateIn(arena: Buffer): TcpState {
  const tcp = {
    state: arena.readUInt8(layout.info),
    retransmits: arena.readUInt8(layout.info + 2),
    unacknowledged: arena.readUInt32LE(layout.info + 24),
    pathMtu: arena.readUInt32LE(layout.info + 60),
    retransmittedInAll: arena.readUInt32LE(layout.info + 100),
    acknowledgedBytes: Number(arena.readBigUInt64LE(layout.info + 120)),
    unsentBytes: arena.readUInt32LE(layout.info + 144),
  };
  // Before the first acknowledgement, the kernel counts from its own start.
  const sinceHeard = wasConnected(tcp) ? arena.readUInt32LE(layout.info + 56) : null;
  return { ...tcp, sinceHeard };
}

interface SocketAddresses {
  readonly source: string | null;
  readonly peer: string;
}

/** The first message of the error queue, where that came by ICMP. */
type ErrorMessage = Pick<SocketSight, "refusedBy" | "stamp" | "quoted">;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length);

const noMessage: ErrorMessage = { refusedBy: null, stamp: null, quoted: Buffer.alloc(0) };

function messageIn(
  arena: Buffer,
  controlLength: number,
  ends: SocketAddresses,
): Omit<ErrorMessage, "quoted"> {
  const end = layout.control + Math.min(controlLength, controlBytes);
  let { refusedBy, stamp } = noMessage;
  for (let at: number = layout.control; at + headerBytes <= end;) {
    const length = arena.readUInt32LE(at);
    const [level, type] = [arena.readInt32LE(at + 8), arena.readInt32LE(at + 12)];
    if (length < headerBytes) break;
    if ([recvErr, recvErr6].some((one) => one.level === level && one.name === type))
      refusedBy = refusalAt(arena, at + headerBytes, ends);
    if (level === solSocket && type === timestampNs) stamp = timespecAt(arena, at + headerBytes);
    at += Math.ceil(length / 8) * 8;
  }
  return { refusedBy, stamp };
}

/** struct sock_extended_err, and behind it the address of whoever sent the message. */
function refusalAt(
  arena: Buffer,
  at: number,
  { source, peer }: SocketAddresses,
): IcmpRefusal | null {
  const origin = arena.readUInt8(at + 4);
  if (origin !== originIcmp && origin !== originIcmp6) return null;
  const sender = addressIn(viewOf(arena), at + offenderAt);
  if (sender === null) return null;
  const from = sender === source ? "this machine" : sender === peer ? "the peer" : "a router";
  return { sender, from, type: arena.readUInt8(at + 5), code: arena.readUInt8(at + 6) };
}
