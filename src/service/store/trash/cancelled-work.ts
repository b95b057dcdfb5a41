import { purgeEvery, undoneWithin } from "#limits/service-limits";
import { after, type EpochMillis } from "#base/units";

/** Planned work that was announced and is deleted: what its subscribers read of it, once it cannot be put back any more or at once. */
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
  /** When something of it was said last: who subscribed later was sent nothing of it. Left out by older versions. */
  readonly saidAt?: EpochMillis;
  /** How many were sent it at once, if it was; then they are sent nothing later. */
  readonly sent?: number;
}

/** Whether readers would read it too late if it waited until its deletion cannot be undone any more. */
export const isSentAtOnce = ({ from }: Pick<CancelledWork, "from">, at: EpochMillis): boolean =>
  from <= after(after(at, undoneWithin), purgeEvery);
