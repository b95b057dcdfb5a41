import type { Dependency } from "#agent/vantage/dependency";

/**
 * A fault of this agent's own place, from the proof of it to two good looks. "recovering": something came through, or a
 * look was good; what fails now is judged by itself, but for attempts that began before.
 */
export interface Condition {
  readonly dependency: Dependency;
  readonly id: string;
  /** In milliseconds of the monotonic clock, as all instants here. */
  readonly since: number;
  readonly sentence: string;
  readonly affected: ReadonlySet<string>;
  readonly state: ConditionState;
}

export type ConditionState = "impaired" | "recovering";

/** One that is known to be there, or to have been there a moment ago. */
export interface OpenCondition extends Condition {
  readonly affected: Set<string>;
  state: ConditionState;
  sentence: string;
  /** The monitor whose failure the sentence describes; null if a look at this place describes it. */
  shownBy: string | null;
  /** Whether it was asked directly since a check last went by it, and was silent. */
  isSilent: boolean;
  /** When it began to recover; null while it is impaired. */
  recoversSince: number | null;
}
