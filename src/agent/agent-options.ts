import type { ResultSink } from "#agent/checks/result-sink";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { PathMemory } from "#agent/vantage/path-memory";
import type { Checker } from "#agent/prober/checker";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import type { AuditMemory } from "#agent/state/audit-file";
import type { ControlPlane } from "#transport/control-plane";
import type { Spool } from "#agent/spool/spool";
import type { Watch } from "#transport/watch";
import type { TargetRuling } from "#agent/checks/refused-targets";
import type { Millis } from "#base/units";

/** What an agent is made of and how it is to run. */
export interface AgentOptions {
  readonly checker: Checker;
  readonly controlPlane: ControlPlane;
  /** Null leaves changes to the polls. */
  readonly watch: Watch | null;
  readonly spool: Spool;
  /** Where the assignment outlives the process; nowhere, unless given. */
  readonly memory?: AssignmentMemory;
  /** Where the head of the service's audit log outlives the process; nowhere, unless given. */
  readonly auditMemory?: AuditMemory;
  /** Where the paths to targets outlive it. */
  readonly pathMemory?: PathMemory;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where a monitor's change of verdict is logged; the agent's log if none is given. */
  readonly verdictLog?: Logger;
  readonly serviceUrl: string;
  readonly pollInterval: Millis;
  readonly heartbeatInterval: Millis;
  readonly drainTimeout: Millis;
  /** Where the agent learns of its own place; without it, every failure is its target's. */
  readonly place?: PlaceSources | null;
  /** What targets may be, as the operator says it now; everything, unless given. */
  readonly targets?: TargetRuling;
  /** Whether it runs only monitors that a trusted key signed; it runs whatever is assigned, unless given. */
  readonly signedOnly?: boolean;
  /** Where results go in addition to the service and the log. */
  readonly sinks?: readonly ResultSink[];
  /** A number in [0, 1); Math.random unless a test says otherwise. */
  readonly chance?: () => number;
}
