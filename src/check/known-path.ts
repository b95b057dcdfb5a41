import type { EpochMillis, Nanos } from "#base/units";

/** What a trace sends: connections that begin, questions for a name, or echo requests. */
export const pathProtocols = ["tcp", "udp", "icmp"] as const;
export type PathProtocol = (typeof pathProtocols)[number];

/**
 * What a trace is of. All its packets have these in common, so a router that spreads connections over several next hops
 * sends each of them the same way (Paris traceroute, 2006).
 */
export interface PathFlow {
  readonly protocol: PathProtocol;
  readonly address: string;
  /** 0 for echo requests. */
  readonly port: number;
  /** Of this machine; the id of echo requests. */
  readonly sourcePort: number;
}

/** The path to a network as it was while all was well, and what changed of it. */
export interface KnownPath {
  /** What has this path in common, e.g. `10.2.0.0/24`. */
  readonly network: string;
  readonly flow: PathFlow;
  /** Those that answered, the nearest first. */
  readonly hops: readonly KnownHop[];
  /** How many hops away the end is; null if it did not answer. */
  readonly length: number | null;
  readonly tracedAt: EpochMillis;
  /** The newest first. */
  readonly changes: readonly PathChange[];
}

export interface KnownHop {
  readonly ttl: number;
  readonly address: string;
  readonly roundTrip: Nanos | null;
  /** Since when it is this router, and when it last answered. */
  readonly since: EpochMillis;
  readonly seenAt: EpochMillis;
  /** Answers since then. */
  readonly times: number;
  /** Traces in a row in which it did not answer. */
  readonly silent: number;
  /** Other routers that answered here. */
  readonly others: readonly OtherHop[];
  /** When it last went back to a router that had answered before; null if it never did. */
  readonly flippedAt: EpochMillis | null;
}

export interface OtherHop {
  readonly address: string;
  readonly seenAt: EpochMillis;
}

/**
 * replaced: another router answers there. lost: the next one does, and it is gone. gained: another is in front of it.
 * returned: a router of before is back. ended: nothing from there on answers any more. circle: two routers send packets back and forth.
 */
export const pathChangeKinds = [
  "replaced",
  "lost",
  "gained",
  "returned",
  "ended",
  "circle",
] as const;
export type PathChangeKind = (typeof pathChangeKinds)[number];

export interface PathChange {
  readonly kind: PathChangeKind;
  /** Which hop, counted from 1. */
  readonly ttl: number;
  /** The router that was there; of a circle, the second of the two. */
  readonly gone: string | null;
  /** The router that is there; the last that answers, of a path that ended; of a circle, the first of the two. */
  readonly came: string | null;
  /** When the path was last seen as it had been, and when first as it is. */
  readonly before: EpochMillis;
  readonly at: EpochMillis;
}

/** A change of the path to a failed target, as a failure names it. */
export interface SaidChange {
  readonly change: PathChange;
  /** The address or the network that the path leads to; null if it stays with the agent. */
  readonly to: string | null;
}
