import type { HeartbeatStatus } from "#agent/link/heartbeat";
import type { ReportCounts } from "#agent/link/reporter";
import type { LinkFault, LinkState } from "#agent/link/service-link";
import type { WatchState } from "#agent/link/watcher";
import type { TargetStanding } from "#agent/checks/refused-targets";
import type { LifecycleState } from "#agent/lifecycle";
import type { PathCounts } from "#agent/looks/path-counts";
import type { VantageCondition } from "#agent/looks/vantage-judgement";
import type { Cause } from "#check/cause";
import type { ScheduleCounts } from "#agent/prober/schedule/missed-slots";
import type { KeptAudit } from "#agent/state/audit-file";
import type { DropReason } from "#agent/spool/spool";
import type { HeartbeatAnswer } from "#transport/control-plane";
import type { EpochMillis, Millis } from "#base/units";
import type { AssignmentRemark } from "#wire/read-assignment";

/** How an agent does at one moment: what its page, its metrics and its supervisor are made of. */
export interface AgentStatus {
  readonly state: LifecycleState;
  readonly startedAt: EpochMillis;
  readonly link: LinkState;
  readonly watch: WatchState;
  readonly linkSince: EpochMillis;
  readonly linkFault: LinkFault | null;
  readonly region: string | null;
  /** What the service last said of the location; null before the first answer, and of a service without heartbeats. */
  readonly location: Pick<HeartbeatAnswer, "locationId" | "locationMetadata"> | null;
  readonly revision: string | null;
  /** Why the newest assignment is not run, while the one before it is; null if it is run. */
  readonly assignmentRefusal: string | null;
  /** What was left out of the assignment, or changed in it, so that the rest runs. */
  readonly remarks: readonly AssignmentRemark[];
  readonly monitors: number;
  readonly checksInFlight: number;
  readonly resultsWaiting: number;
  /** The slot of the oldest of them; null when none waits. */
  readonly oldestWaiting: EpochMillis | null;
  /** Results that the spool gave up since the start, by reason. */
  readonly resultsGivenUp: Readonly<Record<DropReason, number>>;
  /** Whether results that wait outlive this process. */
  readonly spoolDurable: boolean;
  readonly schedule: ScheduleCounts;
  /** How long ago the scheduler last looked at the clock; null before it began. */
  readonly sinceTick: Millis | null;
  /** How long probes have not been run although they should have been; 0 when they are. */
  readonly probesStuckFor: Millis;
  /** How late the newest checks began after their slots: half of them, 99 of 100 and the worst; null before the first. */
  readonly latenessP50: Millis | null;
  readonly latenessP99: Millis | null;
  readonly latenessMax: Millis | null;
  readonly reports: ReportCounts;
  readonly heartbeat: HeartbeatStatus;
  /** Faults of the agent's own place that are proven, the oldest first. */
  readonly conditions: readonly VantageCondition[];
  /** What is broken there while every check still passes. */
  readonly warnings: readonly Cause[];
  /** What was not looked up of failures, because too many packets had been sent for others. */
  readonly questionsLeftOut: number;
  readonly paths: PathCounts;
  readonly targets: TargetStanding;
  /** Results so far whose figures are uncertain. */
  readonly uncertainResults: number;
  /** What is known of the service's audit log, and what is wrong with it. */
  readonly audit: KeptAudit;
}
