import type { SeenTimes } from "#service/store/evidence-store";
import { type Millis, millis } from "#base/units";

/** What a check says of its target, in one word. */
export type SeenAs = "good" | "slow" | "failed";

/** Checks of one location that follow each other and saw the same. */
export interface SeenStretch {
  readonly from: number;
  readonly to: number;
  readonly as: SeenAs;
}

/** One check, and for how long it stands if no other one comes. */
interface SeenCheck {
  readonly startedAt: number;
  readonly as: SeenAs;
  readonly stands: Millis;
}

/** The stretches of one location with one more check, which begins after those before it. A check is late by half a period at most. */
export function addCheck(
  stretches: SeenStretch[],
  { startedAt, as, stands }: SeenCheck,
  period: Millis,
): void {
  const to = startedAt + stands;
  const last = stretches.at(-1);
  if (last === undefined || startedAt > last.to + period / 2) {
    stretches.push({ from: startedAt, to, as });
    return;
  }
  stretches.pop();
  if (last.as === as) stretches.push({ ...last, to: Math.max(last.to, to) });
  else stretches.push({ ...last, to: startedAt }, { from: startedAt, to, as });
}

/** By all locations together: half of those that see something make it slow, unless half of them see it fail. */
export function seenTimes(
  places: readonly (readonly SeenStretch[])[],
  { from, to }: Pick<SeenStretch, "from" | "to">,
  period: Millis,
): SeenTimes {
  const lasting = places.map((own) => own.map((one) => untilEnd(one, to, period)));
  const inside = lasting
    .flatMap((own) => own.flatMap((one) => [one.from, one.to]))
    .filter((edge) => edge > from && edge < to);
  const edges = [from, ...[...new Set(inside)].toSorted((a, b) => a - b), to];
  const next = lasting.map(() => 0);
  let [slow, unknown] = [0, 0];
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const length = Math.max(0, (edges[index + 1] ?? edge) - edge);
    const seen = lasting.flatMap((own, place) => seenAt(own, place, next, edge));
    if (seen.length === 0) unknown += length;
    else if (isSlow(seen)) slow += length;
  }
  return { slow: millis(slow), unknown: millis(unknown) };
}

/** The next check may be under way as the time ends. */
const untilEnd = (one: SeenStretch, end: number, period: Millis): SeenStretch =>
  one.to < end && end <= one.to + period / 2 ? { ...one, to: end } : one;

/** `next` keeps how far each location was looked through. */
function seenAt(
  own: readonly SeenStretch[],
  place: number,
  next: number[],
  at: number,
): readonly SeenAs[] {
  let index = next[place] ?? 0;
  while ((own[index]?.to ?? Infinity) <= at) index += 1;
  next[place] = index;
  const one = own[index];
  return one === undefined || one.from > at ? [] : [one.as];
}

function isSlow(seen: readonly SeenAs[]): boolean {
  const failed = seen.filter((as) => as === "failed").length;
  const slow = seen.filter((as) => as === "slow").length;
  return slow > 0 && 2 * failed < seen.length && 2 * (failed + slow) >= seen.length;
}
