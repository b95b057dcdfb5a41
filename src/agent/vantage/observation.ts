import type { DatedRefusal } from "#agent/vantage/dated-refusal";
import type { Dependency } from "#agent/vantage/dependency";
import type { KnownRouter } from "#agent/vantage/needs";

/** What one result says of everything that the check needed: what carried it, and what may have failed it. */
export interface Observation {
  readonly monitor: string;
  /** Hosts are counted, not monitors: ten monitors of one host fail together. */
  readonly host: string;
  /** Which failures are compared with each other. */
  readonly group: FailureGroup;
  /** When the attempt began, or its peer last sent something, and when it ended: milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** When it is no longer of now. */
  readonly staleAt: number;
  readonly cleared: readonly Dependency[];
  readonly blamed: readonly Dependency[];
  /** Of the routers that it blames, those that only a route seen earlier places there. */
  readonly routers: readonly KnownRouter[];
  /** What carried it at first, and may have failed it since: only a proof counts against it. */
  readonly doubted: readonly Dependency[];
  /** What is seen to be at fault, beyond doubt. */
  readonly proven: Proof | null;
  /** Whether a name server answered, and with an error. */
  readonly hasNameError: boolean;
  /** How a certificate was refused by this machine's clock; null if none was. */
  readonly refusal: DatedRefusal | null;
}

/** A fault that a failure shows by itself: the same for all that fail by it, with what it did to this one. */
export interface Proof {
  readonly dependency: Dependency;
  readonly sentence: string;
}

export type FailureGroup = "none" | "dns" | "connect" | "proxy" | "tls" | "answer";
