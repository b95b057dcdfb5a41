import type { IpFamily } from "#probes/dns/resolving";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { TargetRules } from "#probes/connection/guard";
import type { NameServer } from "#probes/dns/resolving";
import type { TrustMaterial } from "#probes/connection/trust";
import type { Proxying } from "#network/proxy";
import type { Bytes, Millis } from "#units";

/**
 * Runs one attempt at a time against any target, somewhere else than the agent's own work. It always resolves: a probe
 * that is cancelled by `signal` gives an outcome whose failure is `cancelled`, a fault of ours one that is
 * `agent_error`. `timeout` bounds the attempt from the moment the probe begins.
 */
export interface Prober extends AsyncDisposable {
  probe(target: Target, timeout: Millis, signal: AbortSignal): Promise<Outcome>;
  /** How long probes have not been run although they should have been: nobody runs them, or one does not end. */
  readonly stuckFor: Millis;
}

/** The same in one thread, and how many share the memory for bodies. */
export interface ProbeThreadOptions extends ProberOptions {
  readonly threads: number;
}

/** What every probe of this agent has in common. */
export interface ProberOptions {
  readonly trust: TrustMaterial;
  /** Asked by DNS checks that name no server; empty asks the system's. */
  readonly nameServers: readonly NameServer[];
  readonly ipFamily: IpFamily;
  readonly resolver: "stub" | "system";
  /** What targets may be. */
  readonly targetRules: TargetRules;
  /** The way to targets; DNS checks always go directly. */
  readonly proxying: Proxying;
  readonly http2: boolean;
  /** Whether the kernel is asked for instants, where it can be. */
  readonly kernelClock: boolean;
  /** A response body is read up to here, decoded. */
  readonly bodyBytesMax: Bytes;
  readonly userAgent: string;
}
