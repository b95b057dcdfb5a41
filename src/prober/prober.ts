import type { EvidenceScope } from "#check/evidence";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { TargetRules } from "#probes/connection/guard";
import type { ProbeSettings } from "#probes/probe";
import type { RawSockets } from "#probes/raw/open-sockets";
import type { TrustMaterial } from "#probes/connection/trust";
import type { Millis } from "#units";

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

/** What a thread of probes is started with; the context of its probes is made from it. */
export interface ProberOptions extends ProbeSettings {
  readonly trust: TrustMaterial;
  readonly resolver: "stub" | "system";
  /** What targets may be. */
  readonly targetRules: TargetRules;
  /** Whether the kernel is asked for instants, where it can be. */
  readonly kernelClock: boolean;
  /** Whether probes use raw sockets, where those pass their test; "auto" leaves it to us. */
  readonly rawSockets: RawSockets;
  /** What is looked up when a check fails. */
  readonly evidence: EvidenceScope;
}

/** The same in one thread, and how many share the memory for bodies. */
export interface ProbeThreadOptions extends ProberOptions {
  readonly threads: number;
}
