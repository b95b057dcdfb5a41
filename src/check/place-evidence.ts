import type { SaidChange } from "#check/known-path";
import type { FailureCode } from "#check/failure";
import type { Millis, Nanos } from "#base/units";

/** What this machine and its name servers said when a check failed: facts, like those of the failed connection. */
export interface PlaceEvidence {
  /** Empty if they were not asked. */
  readonly resolvers: readonly ResolverAnswer[];
  readonly local: LocalEvidence;
  /** Null if the check had no proxy, it was not wanted, or the target rules do not allow it. */
  readonly direct: DirectLook | null;
  /** What changed of the path to the target before it failed; null if nothing did, or it cannot be known. */
  readonly pathChange: SaidChange | null;
  /** How long it took to look all of it up, after the check was decided. */
  readonly took: Millis;
  /** Questions that were not asked, because others had used up the packets for them. */
  readonly leftOut: number;
}

/** Whether a target that failed at the proxy accepts a connection without it. */
export interface DirectLook {
  /** Null if its name has none that is known here, or it stays with the agent. */
  readonly address: string | null;
  readonly outcome: "connected" | FailureCode;
}

/** What one name server made of the question for a name that cannot exist. */
export interface ResolverAnswer {
  readonly server: string;
  readonly outcome: ResolverOutcome;
  /** Null if no answer came. */
  readonly roundTrip: Nanos | null;
}

/** "unreachable" is a refusal: its host answers, or a router does. "failing" answers, with an error for any name. */
export const resolverOutcomes = ["answered", "failing", "unreachable", "silent"] as const;
export type ResolverOutcome = (typeof resolverOutcomes)[number];

/** The first step to what was dialled, and how busy this machine is. */
export interface LocalEvidence {
  /** The interface that leads there; null if none does, or it is not known which. */
  readonly device: string | null;
  readonly carrier: Carrier;
  readonly route: RouteKind;
  /** Null if there is none, or its address stays with the agent. */
  readonly gateway: string | null;
  readonly gatewayState: GatewayState;
  /** The share of the last seconds in which the control group kept this process from running; null if unknown. */
  readonly throttledShare: number | null;
  /** The share of the last ten seconds in which something waited for the processor; null if unknown. */
  readonly pressureShare: number | null;
}

export const carriers = ["up", "no carrier", "switched off", "unknown"] as const;
export type Carrier = (typeof carriers)[number];

/** To this machine itself, nowhere, to the interface's own network, or by a gateway. */
export const routeKinds = ["here", "none", "network", "gateway", "unknown"] as const;
type RouteKind = (typeof routeKinds)[number];

/**
 * "believed": the kernel knows no fault of it, which proves nothing. "silent": the kernel looks for it in vain. "dead end":
 * it and the router behind it did not answer us.
 */
export const gatewayStates = ["believed", "silent", "dead end", "unknown"] as const;
export type GatewayState = (typeof gatewayStates)[number];
