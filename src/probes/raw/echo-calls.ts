import type { Arena, Stamp } from "#probes/raw/arena";
import {
  allButReplies,
  icmpFilter,
  inet,
  recvErr,
  recvErr6,
  solRaw,
  solSocket,
} from "#probes/socket/linux-numbers";

/** The part of the kernel's calls that is for ICMP's echoes. */
export interface EchoCalls {
  /**
   * A descriptor for ICMP's echoes to one address. The kernel owns the id of a datagram socket and gives it its own replies;
   * a raw socket gets every reply of whom it is connected to. It keeps its errors, and stamps what leaves and what comes.
   */
  echoSocket(address: string, type: "datagram" | "raw"): number;
  /** Who sent what was received last, and how far it had still been allowed to go; null if the kernel does not say. */
  sender(): string | null;
  hopLimit(): number | null;
  /** This end of a connected socket, and the other; null if the kernel does not say. */
  source(descriptor: number): string | null;
  peer(descriptor: number): string | null;
  /** Reads what a socket keeps next to its messages: stamps of what left, and errors. Null if there is no more. */
  kept(descriptor: number): KeptMessage | null;
}

/** A stamp of a packet that left, or an error by ICMP; its beginning as it was quoted lies in the inbox. */
export type KeptMessage =
  | { readonly is: "left"; readonly packet: number; readonly stamp: Stamp | null }
  | {
      readonly is: "icmp";
      readonly type: number;
      readonly code: number;
      readonly sender: string | null;
      readonly quoted: number;
    }
  | { readonly is: "other" };

// sys/socket.h
const socketTypes = { datagram: 0o2004002, raw: 0o2004003 } as const;
const soTimestamping = 37;
const dontWait = 0x40;
const errorQueue = 0x2000;
/** TX_SOFTWARE | RX_SOFTWARE | SOFTWARE | OPT_ID | OPT_TSONLY of linux/net_tstamp.h: OPT_ID counts what left. */
const stamps = 2 | 8 | 16 | 128 | 2048;
// linux/errqueue.h
const originIcmp = 2;
const originIcmp6 = 3;
const originStamp = 4;
const offenderAt = 16;

/** netinet/in.h, linux/in.h and linux/in6.h: what each family calls the same. */
const families = {
  ip: { protocol: 1, level: 0, errors: 11, wantsHops: 12, hops: 2, discover: 10 },
  ipv6: { protocol: 58, level: 41, errors: 25, wantsHops: 51, hops: 52, discover: 23 },
} as const;
/** IP_PMTUDISC_DO and its twin: what leaves is never cut in pieces. */
const dontFragment = 2;

/** What is called of the C library; pointers are of the arena. */
interface Functions {
  readonly socket: (family: number, type: number, protocol: number) => number;
  readonly setsockopt: (
    descriptor: number,
    level: number,
    option: number,
    value: bigint,
    bytes: number,
  ) => number;
  readonly recvmsg: (descriptor: number, header: bigint, flags: number) => number;
  readonly getsockname: NameCall;
  readonly getpeername: NameCall;
}
type NameCall = (descriptor: number, name: bigint, length: bigint) => number;

/** The calls for ICMP's echoes. */
export function echoCalls(
  c: Functions,
  arena: Arena,
  resultOf: (value: number) => number,
): EchoCalls {
  const { pointers } = arena;
  const named = (call: NameCall, descriptor: number): string | null => {
    arena.prepareName();
    return call(descriptor, pointers.info, pointers.valueLength) === 0 ? arena.name() : null;
  };
  return {
    echoSocket: (address, type) => openSocket(c, arena, resultOf, address, type),
    sender: () => arena.sender(),
    hopLimit: () => {
      const at =
        arena.control(families.ip.level, families.ip.hops) ??
        arena.control(families.ipv6.level, families.ipv6.hops);
      return at === null ? null : arena.numberAt(at);
    },
    source: (descriptor) => named(c.getsockname, descriptor),
    peer: (descriptor) => named(c.getpeername, descriptor),
    kept: (descriptor) => keptMessage(c, arena, resultOf, descriptor),
  };
}

function openSocket(
  c: Functions,
  arena: Arena,
  resultOf: (value: number) => number,
  address: string,
  type: keyof typeof socketTypes,
): number {
  const set = (descriptor: number, level: number, option: number, value: number): void => {
    arena.setValue(value);
    c.setsockopt(descriptor, level, option, arena.pointers.value, arena.valueBytes);
  };
  const name = arena.setName(address);
  if (name === null) return noAddress;
  const { protocol, level, errors, wantsHops, discover } =
    name.family === inet ? families.ip : families.ipv6;
  const descriptor = resultOf(c.socket(name.family, socketTypes[type], protocol));
  if (descriptor < 0) return descriptor;
  set(descriptor, solSocket, soTimestamping, stamps);
  set(descriptor, level, errors, 1);
  set(descriptor, level, wantsHops, 1);
  set(descriptor, level, discover, dontFragment);
  if (type === "raw" && name.family === inet) set(descriptor, solRaw, icmpFilter, allButReplies);
  return descriptor;
}

function keptMessage(
  c: Functions,
  arena: Arena,
  resultOf: (value: number) => number,
  descriptor: number,
): KeptMessage | null {
  const header = arena.pointers.receivedHeader;
  arena.prepareReceiving(quotedBytesMax);
  const got = resultOf(c.recvmsg(descriptor, header, dontWait | errorQueue));
  if (got < 0) return null;
  // struct sock_extended_err: errno 0, origin 4, type 5, code 6, info 8, data 12.
  const at =
    arena.control(recvErr.level, recvErr.name) ?? arena.control(recvErr6.level, recvErr6.name);
  if (at === null) return { is: "other" };
  const [origin = 0, type = 0, code = 0] = bytesOf(arena.numberAt(at + 4));
  if (origin === originStamp)
    return { is: "left", packet: arena.numberAt(at + 12), stamp: arena.receivedStamp() };
  if (origin !== originIcmp && origin !== originIcmp6) return { is: "other" };
  return { is: "icmp", type, code, sender: arena.addressAt(at + offenderAt), quoted: got };
}

const bytesOf = (value: number): readonly number[] =>
  [0, 8, 16].map((shift) => (value >>> shift) & 0xff);

/** An error quotes what it is about; more than an echo is not looked at. */
const quotedBytesMax = 256;

/** EAFNOSUPPORT: an address with a zone, which has no number here. */
const noAddress = -97;
