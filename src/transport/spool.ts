import type { Result } from "#result";
import type { EpochMillis } from "#units";

/** Results that wait for the service, oldest first. What does not fit is given up from the old end, and counted. */
export interface Spool {
  add(result: Result): void;
  /** Up to `max` of the oldest results, each monitor's in ascending slot order; they stay until they are settled. */
  oldest(max: number): readonly Result[];
  /** Forgets results by their id. */
  settle(ids: readonly string[]): void;
  readonly size: number;
  /** Slot of the oldest result; null when none waits. */
  readonly oldestSlot: EpochMillis | null;
  /** Results that were given up because they did not fit. */
  readonly givenUp: number;
}
