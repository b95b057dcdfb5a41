import type { Report } from "#transport/report";
import type { EpochMillis } from "#units";

/** Why a report was given up: it was too old, or the newer ones needed its room. */
export type GivenUpReason = "age" | "room";

/**
 * Reports that wait for the service. What does not fit is given up from the old end, and counted. No method waits,
 * and none throws: a spool whose disk fails goes on in memory.
 */
export interface Spool {
  add(report: Report): void;
  /** How many reports wait of each monitor; those without any are left out. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Up to `max` of a monitor's oldest reports in ascending slot order; they stay until they are settled. */
  oldestOf(monitorId: string, max: number): readonly Report[];
  /** Forgets reports by their id. */
  settle(ids: readonly string[]): void;
  /** Makes durable what came since the last time and still waits; gives up what is too old. */
  save(): void;
  readonly size: number;
  /** The oldest slot of all; null when none waits. */
  readonly oldestSlot: EpochMillis | null;
  readonly givenUp: Readonly<Record<GivenUpReason, number>>;
}
