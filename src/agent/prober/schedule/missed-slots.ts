import type { EpochMillis } from "#base/units";

/**
 * Why a slot was not checked: we came too late to it, the wall clock was set past it, the monitor's check before it had
 * not ended, too many checks ran, the agent was stopping, or its own place was broken, so that nothing was learned of
 * the target.
 */
export const missedReasons = ["late", "clock", "overlap", "busy", "drained", "vantage"] as const;
export type MissedReason = (typeof missedReasons)[number];

/** Slots of a monitor in a row that were not checked. */
export interface MissedSlots {
  readonly monitorId: string;
  /** The first of them. */
  readonly slot: EpochMillis;
  readonly count: number;
  readonly reason: MissedReason;
}

export interface ScheduleCounts {
  readonly started: number;
  readonly missed: Readonly<Record<MissedReason, number>>;
}

export const noneMissed: Readonly<Record<MissedReason, number>> = {
  late: 0,
  clock: 0,
  overlap: 0,
  busy: 0,
  drained: 0,
  vantage: 0,
};
