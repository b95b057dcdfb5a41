import type { EpochMillis } from "#base/units";

/** Planned work that was announced and is deleted: what its subscribers read of it once it cannot be put back any more. */
export interface CancelledWork {
  readonly id: number;
  readonly title: string;
  /** The next time of it, which does not take place. */
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Of work that repeats: by which rule, when it began first, and by a clock in which zone. */
  readonly repeats?: {
    readonly recurrence: string;
    readonly begin: EpochMillis;
    readonly timeZone: string;
  };
  readonly page: number;
  /** Of the page; none: it was about all of it. */
  readonly components: readonly number[];
}
