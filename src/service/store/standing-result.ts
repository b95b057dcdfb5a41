import type { NewResult } from "#service/store/result-store";
import { type Overlap, saysSomethingOfTarget } from "#service/store/rollup";
import { epochMillis, type EpochMillis, millis } from "#base/units";

/** For how long the newest result of a schedule stands: one period, unless the next one comes before. */
export interface StandingResult {
  readonly slot: EpochMillis;
  /** 0 if it says nothing of the target, or if that is not known. */
  readonly until: EpochMillis;
  readonly isDown: boolean;
}

/** Only a result of the schedule that is newer takes the place of one. */
const isNext = (before: StandingResult, { slot, trigger }: NewResult): boolean =>
  trigger === "cron" && slot > before.slot;

export function standingAfter(before: StandingResult, result: NewResult): StandingResult {
  if (!isNext(before, result)) return before;
  const { slot, period, status } = result;
  const until = saysSomethingOfTarget(result) ? epochMillis(slot + period) : epochMillis(0);
  return { slot, until, isDown: status === "error" };
}

/** Of results in the order of their slots. */
export function overlapsOf(
  first: StandingResult,
  ordered: readonly NewResult[],
): readonly Overlap[] {
  let standing = first;
  return ordered.flatMap((result) => {
    const before = standing;
    standing = standingAfter(before, result);
    return standing === before ? [] : overlapAt(before, result.slot);
  });
}

/** What reaches beyond an instant of what was counted. */
export function overlapAt(
  { slot, until, isDown }: StandingResult,
  at: EpochMillis,
): readonly Overlap[] {
  const known = millis(until - Math.max(slot, at));
  return until > 0 && known > 0 ? [{ slot, known, down: isDown ? known : millis(0) }] : [];
}
