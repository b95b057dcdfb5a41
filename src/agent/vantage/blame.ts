import type { Cause, Certainty } from "#check/cause";
import type { ConnectionEvidence } from "#check/evidence";
import type { Failure } from "#check/failure";
import type { CertificateFacts } from "#check/outcome";
import type { ResolverSight, Way } from "#agent/vantage/machine-sight";
import type { EpochMillis, Millis } from "#base/units";

/** Whose fault it is, how sure that is, why, and what to do: each a plain sentence without the full stop. */
export interface Blame {
  readonly place: Place;
  /** Where it may lie: one, unless the place is unclear. */
  readonly suspects: readonly Suspect[];
  readonly certainty: Certainty;
  readonly because: string;
  readonly next: string;
}

/** "me" is this machine, its network, its name servers and its proxy. */
export type Suspect = "me" | "path" | "target";
export type Place = Suspect | "unclear";

export interface FailedCheck {
  readonly failure: Failure;
  readonly evidence: ConnectionEvidence | null;
  readonly cause: Cause | null;
  /** How long the connection was tried that the evidence is of. */
  readonly took: Millis;
  /** To the address that was dialled; null if none was. */
  readonly way: Way | null;
  /** Whether anything came back from beyond the gateway on that way. */
  readonly isGatewayPassed: boolean;
  /** Empty if they were not asked. */
  readonly resolvers: readonly ResolverSight[];
  /** Whether the check had to go by the targets' proxy. */
  readonly isProxied: boolean;
  /** Whether the target accepts a connection without the proxy that the check failed at. */
  readonly isDirectOpen: boolean;
  /** The dates of the certificate that the target showed; null if it showed none. */
  readonly certificate: Pick<CertificateFacts, "validFrom" | "validTo"> | null;
  /** What this machine's clock says. */
  readonly now: EpochMillis;
  /** How far that is ahead of the target's, in milliseconds; null if they were not compared. */
  readonly clockAhead: number | null;
}

export const blamed = (
  place: Suspect,
  certainty: Certainty,
  because: string,
  next: string,
): Blame => ({ place, suspects: [place], certainty, because, next });

export const mine = (because: string, next: string): Blame => blamed("me", "proven", because, next);
export const target = (because: string, next: string): Blame =>
  blamed("target", "likely", because, next);

export const unclear = (suspects: readonly Suspect[], because: string, next: string): Blame => ({
  place: "unclear",
  suspects,
  certainty: "possible",
  because,
  next,
});

export const anywhere: readonly Suspect[] = ["me", "path", "target"];
