import type { Report } from "#wire/report";
import type { Bytes, EpochMillis, Millis } from "#base/units";

/**
 * Why a report was dropped: it was too old, or the newer ones needed its room, or what was kept of it cannot be read
 * again.
 */
export type DropReason = "age" | "room" | "unreadable";

/** How much may wait, and for how long. */
export interface SpoolLimits {
  readonly bytesMax: Bytes;
  readonly ageMax: Millis;
}

/**
 * Reports that wait for the service. What does not fit is dropped in the order in which it came, and counted. No method
 * waits, and none throws: a spool whose disk fails continues in memory.
 */
export interface Spool extends Disposable {
  add(report: Report): void;
  /** How many reports wait of each monitor; those without any are left out. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Up to `max` of a monitor's oldest reports in ascending slot order; they stay until they are settled. */
  oldestOf(monitorId: string, max: number): readonly Report[];
  /** Forgets reports by their id. */
  settle(ids: readonly string[]): void;
  /** Makes durable what came since the last time and still waits; drops what is too old or has no room. */
  save(): void;
  readonly size: number;
  /** The slot of the report that waits longest; null when none waits. */
  readonly oldestSlot: EpochMillis | null;
  /** Since the start of this process. */
  readonly givenUp: Readonly<Record<DropReason, number>>;
  /** Whether what is saved outlives the process, as far as is known now. */
  readonly durable: boolean;
}
