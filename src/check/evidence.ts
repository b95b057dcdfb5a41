import * as limits from "#limits/check-limits";
import type { Nanos } from "#base/units";

/**
 * How much is looked up when a check fails: nothing; what this machine knows already, and whether its name servers and its
 * gateway answer; or also how far packets to the target come, and of which size.
 */
export const evidenceScopes = ["off", "local", "full"] as const;
export type EvidenceScope = (typeof evidenceScopes)[number];

/**
 * What the kernel knew of the connection that a check failed with. These are facts, not a verdict: a stranger can forge
 * an ICMP message, so nothing here changes whether a check failed.
 */
export interface ConnectionEvidence {
  /** The address and port that were dialled: the target's, or the proxy's. */
  readonly address: string;
  readonly port: number;
  readonly peer: "target" | "proxy";
  /** This machine's address; null if there was no route, and so none to send from. */
  readonly source: string | null;
  /** The ICMP message that ended the connection; null if none came. */
  readonly refusedBy: IcmpRefusal | null;
  /** Null if the kernel does not say. */
  readonly tcp: TcpState | null;
  /** How far packets to it came a moment later; null if that was not looked up. */
  readonly path: PathTrace | null;
  /** Whether the same check passes with small packets and stalls with large ones; null if that was not tried. */
  readonly onlySmallPass: boolean | null;
}

/** What lies between this machine and an address, as far as it answers. */
export interface PathTrace {
  /** From this machine outwards, up to the last that answered. */
  readonly hops: readonly PathHop[];
  /** How many packets it cost. */
  readonly packets: number;
  /** Whether the address itself answered. */
  readonly reached: boolean;
}

/** One step. Its silence says nothing by itself: many routers do not answer. */
export interface PathHop {
  readonly ttl: number;
  /** Null if none answered. */
  readonly address: string | null;
  /** A router on the way, one that refuses, the address itself, or none. */
  readonly ended: (typeof pathEnds)[number];
  /** Until its ICMP message came, by the kernel's stamp; null if none came, or the kernel did not say when. */
  readonly roundTrip: Nanos | null;
  /** Type and code of that message, e.g. `11/0`; null if none came. */
  readonly icmp: string | null;
}

export const pathEnds = ["hop", "refusal", "target", "silence"] as const;

/** An ICMP or ICMPv6 message (RFC 792, RFC 4443), and whose it is. */
export interface IcmpRefusal {
  readonly sender: string;
  readonly from: "this machine" | "a router" | "the peer";
  readonly type: number;
  readonly code: number;
}

/** The part of the kernel's tcp_info that says how far packets came. */
export interface TcpState {
  /** As linux/tcp_states.h counts: see `tcpStates`; 2 is a SYN without an answer. */
  readonly state: number;
  /** Timeouts in a row without an acknowledgement. */
  readonly retransmits: number;
  /** Packets that left again. None do while the kernel looks for the next hop. */
  readonly retransmittedInAll: number;
  /** Packets that left and were not acknowledged. */
  readonly unacknowledged: number;
  /** Bytes that were written and have not left. */
  readonly unsentBytes: number;
  readonly acknowledgedBytes: number;
  /** Milliseconds since the peer's kernel last acknowledged anything; null if it never did. */
  readonly sinceHeard: number | null;
  /** What the path is known to carry, in bytes. */
  readonly pathMtu: number;
}

/** Of linux/tcp_states.h. */
export const tcpStates = { established: 1, closed: 7, closeWait: 8 } as const;

/**
 * Whether no packet left this machine: the kernel wanted to repeat one and had no next hop to send it to. Once it has
 * searched in vain, it reports so itself, and may count one more packet as sent.
 */
export const leftNothing = ({ tcp, refusedBy }: ConnectionEvidence): boolean =>
  tcp !== null &&
  tcp.retransmits > 0 &&
  !wasConnected(tcp) &&
  (refusedBy === null ? tcp.retransmittedInAll === 0 : isUnresolved(refusedBy));

/** Whether this machine found no next hop. RFC 792: host unreachable. RFC 4443 §3.1: address unreachable. */
export const isUnresolved = (refusal: IcmpRefusal): boolean =>
  refusal.from === "this machine" && isUnresolvedBy(refusal);

const isUnresolvedBy = ({ sender, type, code }: IcmpRefusal): boolean =>
  sender.includes(":") ? type === 1 && code === 3 : type === 3 && code === 1;

/**
 * Whether the last router looked for the host in vain: it says so after some seconds without
 * an answer, and what it has no route to it refuses at once. `took` is how long the attempt lasted, in milliseconds.
 */
export const isAbsent = ({ refusedBy }: ConnectionEvidence, took: number): boolean =>
  refusedBy !== null &&
  refusedBy.from === "a router" &&
  isUnresolvedBy(refusedBy) &&
  took >= limits.neighbourSearchMin;

/** Whether packets were sent again, and nothing came back. */
export const gotNoAnswer = (evidence: ConnectionEvidence): boolean =>
  evidence.tcp !== null &&
  evidence.tcp.retransmittedInAll > 0 &&
  !wasConnected(evidence.tcp) &&
  !leftNothing(evidence);

/** Whether the peer's kernel has all that was sent to it: what keeps silent is the program behind it. */
export const peerHasAll = ({ tcp }: ConnectionEvidence): boolean =>
  tcp !== null && isOpen(tcp) && tcp.unacknowledged === 0 && tcp.unsentBytes === 0;

/** Whether the peer stopped acknowledging after the connection was there. */
export const wasCutOff = ({ tcp }: ConnectionEvidence): boolean =>
  tcp !== null && isOpen(tcp) && tcp.unacknowledged > 0 && tcp.retransmits > 0;

const isOpen = ({ state }: Pick<TcpState, "state">): boolean =>
  state === tcpStates.established || state === tcpStates.closeWait;

/** The SYN counts as one byte. */
export const wasConnected = (tcp: Pick<TcpState, "state" | "acknowledgedBytes">): boolean =>
  isOpen(tcp) || tcp.acknowledgedBytes > 0;
