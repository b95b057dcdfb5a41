import type { NewResult } from "#service/store/result-store";
import { type Overlap, saysSomethingOfTarget, standingOfCheck } from "#service/store/rollup";
import { epochMillis, type EpochMillis, millis } from "#base/units";

/** For how long the newest result of a schedule stands, unless the next one comes before. */
export interface StandingResult {
  readonly slot: EpochMillis;
  /** 0 if it says nothing of the target, or if that is not known. */
  readonly until: EpochMillis;
  /** A check that a person asked for since then may say otherwise, for the rest of that time. */
  readonly isDown: boolean;
  /** The newest that says something of the target, whoever asked for it; 0 of none. */
  readonly seen: EpochMillis;
}

/** Only a result of the schedule that is newer takes the place of one. */
const isNext = (before: StandingResult, { slot, trigger }: NewResult): boolean =>
  trigger === "cron" && slot > before.slot;

export function standingAfter(before: StandingResult, result: NewResult): StandingResult {
  const { slot, status, trigger } = result;
  const says = saysSomethingOfTarget(result);
  const isDown = status === "error";
  const seen = says ? epochMillis(Math.max(before.seen, slot)) : before.seen;
  if (isNext(before, result))
    return { slot, until: says ? standingOfCheck(result).until : epochMillis(0), isDown, seen };
  const isNewest = trigger === "api" && says && slot > before.seen && slot < before.until;
  return isNewest ? { ...before, isDown, seen } : { ...before, seen };
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
    return isNext(before, result)
      ? [...overlapAt(before, standingOfCheck(result).from), ...bridgeTo(before, result)]
      : turnAt(before, standing, result.slot);
  });
}

/** What reaches beyond an instant of what was counted. */
export function overlapAt(
  { slot, until, isDown }: Omit<StandingResult, "seen">,
  at: EpochMillis,
): readonly Overlap[] {
  const known = millis(until - Math.max(slot, at));
  return until > 0 && known > 0 ? [{ slot, known, down: isDown ? known : millis(0) }] : [];
}

/** A check is late by half a period at most: until it begins, the one before stands on. */
function bridgeTo({ slot, until, isDown }: StandingResult, next: NewResult): readonly Overlap[] {
  const gap = standingOfCheck(next).from - until;
  if (until === 0 || gap <= 0 || gap > next.period / 2 || !saysSomethingOfTarget(next)) return [];
  return [{ slot, known: millis(-gap), down: millis(isDown ? -gap : 0) }];
}

/** An outage that a person's check finds, or ends, begins or ends with it: not with the next check of the schedule. */
function turnAt(
  { slot, until, isDown }: StandingResult,
  { isDown: isDownNow }: StandingResult,
  at: EpochMillis,
): readonly Overlap[] {
  if (isDown === isDownNow) return [];
  const left = until - at;
  return [{ slot, known: millis(0), down: millis(isDown ? left : -left) }];
}
