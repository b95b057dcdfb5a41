import type { EvidenceScope } from "#check/evidence";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { EndSignal } from "#base/ending";
import type { TargetRules } from "#network/target-rules";
import type { ProbeSettings } from "#probes/connection/probe";
import type { RawSockets } from "#check/agent-words";
import type { TrustMaterial } from "#machine/trust";
import type { Millis } from "#base/units";

/**
 * Makes one attempt against any target. What the network does is part of the outcome; an attempt that is cancelled by
 * `signal` gives one whose failure is `cancelled`. `timeout` bounds it from the moment it begins.
 */
export interface Prober extends AsyncDisposable {
  probe(target: Target, timeout: Millis, signal: EndSignal): Promise<Outcome>;
}

/** What probes are made with; the context of a thread's probes is made from it. */
export interface ProberOptions extends ProbeSettings {
  readonly trust: TrustMaterial;
  readonly resolver: "stub" | "system";
  /** What targets may be. */
  readonly targetRules: TargetRules;
  /** Whether the kernel is asked for instants, if it can be. */
  readonly kernelClock: boolean;
  /** Whether probes use raw sockets, where those pass their test; "auto" leaves it to us. */
  readonly rawSockets: RawSockets;
  /** What is looked up when a check fails. */
  readonly evidence: EvidenceScope;
  /** Whether a target that failed at the proxy is dialled once without it. */
  readonly evidenceDirect: boolean;
  /** Whether the paths to targets are traced while all is well. */
  readonly paths: boolean;
  /** What is asked in addition to a failed check, to learn whether anything answers this agent. */
  readonly references: readonly Reference[];
}

export interface Reference {
  readonly host: string;
  readonly port: number;
}

/** The same in one thread, and how many share the memory for bodies. */
export interface ProbeThreadOptions extends ProberOptions {
  readonly threads: number;
}
