import type { CauseScope } from "#check/cause";
import type { PlaceEvidence } from "#check/place-evidence";
import type { EpochMillis, Millis } from "#base/units";

/** What an agent last said about itself in a heartbeat, and what follows from it. */
export interface InstanceReport {
  /** When the service heard it; left out by older versions. */
  readonly heardAt?: EpochMillis;
  readonly hostname: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  readonly monitorCount: number;
  readonly resultsWaiting: number;
  readonly checksRun: number;
  /** How far its clock was ahead of the service's, below zero if it was behind; null of agents that do not say it. */
  readonly clockAhead: Millis | null;
  readonly missedSlots: number;
  /** Of those missed: because of the agent itself. */
  readonly missedSlotsOwn: number;
  readonly resultsGivenUp: number;
  /** Of these: dropped because they were too old, and because newer ones needed their room; null if that was not kept. */
  readonly resultsGivenUpAge: number | null;
  readonly resultsGivenUpRoom: number | null;
  readonly resultsRejected: number;
  /** Of those rejected: of monitors that the location does not run any more. */
  readonly resultsUnassigned: number;
  /** What the service concludes from this heartbeat and those before it. */
  readonly spells: readonly TroubleSpell[];
  /** Proven faults of its own place. */
  readonly conditions: readonly ReportedCondition[];
  /** What is broken there while every check still passes. */
  readonly warnings: readonly ReportedCondition[];
  /** What it leaves out of its assignment or changes in it, as sentences without a full stop. */
  readonly remarks: readonly string[];
  /** The kinds of monitors that its version knows. */
  readonly kinds: readonly string[];
  /** What its operator lets targets be, as the operator wrote it; null if there are no rules, or it does not say. */
  readonly targets: ReportedTargets | null;
  /** The location whose signed monitors are all that it runs; empty: it runs whatever is assigned. */
  readonly signedFor: string;
  /** Of the token that it came with; empty if that was not kept. */
  readonly tokenHash: string;
}
/** Entries of an agent's rules for targets. */
export interface ReportedTargets {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** There are more of them. */
  readonly isCut: boolean;
}
/** What can be wrong with an agent itself. */
export const agentTroubles = [
  "results-dropped",
  "results-rejected",
  "clock-off",
  "slots-missed",
] as const;
export type AgentTrouble = (typeof agentTroubles)[number];
/** A trouble that shows in one heartbeat after another. */
export interface TroubleSpell {
  readonly trouble: AgentTrouble;
  readonly since: EpochMillis;
  /** The newest heartbeat that shows it. */
  readonly lastAt: EpochMillis;
  /** Results or slots since then; of a clock, by how many ms it is ahead. */
  readonly amount: number;
}
/** What an agent says is broken at its own place. */
export interface ReportedCondition {
  readonly scope: CauseScope;
  /** Which one: an interface, an address, a server. */
  readonly subject: string;
  readonly causeId: string;
  /** Without the full stop. */
  readonly sentence: string;
  readonly since: EpochMillis;
  /** Monitors of this agent that it hides. */
  readonly affected: number;
  /** It seems to be over. */
  readonly recovering: boolean;
  /** What its machine and its name servers said with it; null of agents that do not send it. */
  readonly place: PlaceEvidence | null;
}
