import type { AssertionKind, AssertionOf } from "#check/assertion";
import * as limits from "#limits/check-limits";
import type { Outcome } from "#check/outcome";
import { cutText } from "#base/text";

/** One kind of assertion: how it is said, and when it holds. */
export interface Rule<K extends AssertionKind> {
  /** What is wanted, as a person says it: `body contains "ok"`. */
  words(assertion: AssertionOf<K>): string;
  /** Null if nothing was seen that it could judge: no answer came, or one of another kind of check. */
  judge(assertion: AssertionOf<K>, outcome: Outcome): Judgement | null;
}

export interface Judgement {
  readonly held: boolean;
  readonly received: string;
  /** Only the beginning of a body was seen, and the rest could change the answer. */
  readonly unproven: boolean;
  /** Why there was nothing to compare; null if there was. */
  readonly unreadable: string | null;
}

/** A judgement that nothing unseen could change. */
export const proven = (held: boolean, received: string): Judgement => ({
  held,
  received,
  unproven: false,
  unreadable: null,
});

/** `contains "ok"`; `not_empty` compares with nothing. */
export function compared({
  comparator,
  target,
}: {
  readonly comparator: string;
  readonly target: string;
}): string {
  return comparator === "empty" || comparator === "not_empty"
    ? comparator
    : `${comparator} ${JSON.stringify(cutText(target, limits.receivedCharsMax))}`;
}
