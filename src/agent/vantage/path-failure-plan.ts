import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { circleSuspect } from "#agent/vantage/path-circle";
import { deepestOf, isAsKnown, lastAsks } from "#agent/vantage/path-plan";
import { addressesAt, answersAt, hopAt, isHeard, settledHops } from "#agent/vantage/settled-hop";
import { type EpochMillis, type Millis, millis, nanosToMillis } from "#base/units";

/**
 * Which hop is asked next at a failure: the outermost that is known. If that answers as before, all is as before, unless the
 * connection was there, which wants all of them: `isWhole`. Else those before it, inwards, until one answers or some are
 * silent; then the others from this machine outwards. Null if it is over.
 */
export function nextFailureAsk(
  known: KnownPath,
  answers: readonly PathHop[],
  now: EpochMillis,
  isWhole: boolean,
): number | null {
  const settled = settledHops(known, now);
  const ttls = settled.map(({ ttl }) => ttl);
  if (answers.length >= limits.failurePacketsMax || isAnswered(answers)) return null;
  const refused = answers.find(({ ended }) => ended === "refusal");
  if (refused !== undefined)
    return answersAt(answers, refused.ttl).length < limits.refusals ? refused.ttl : null;
  const unasked = [...ttls, ...changedTtls(known)]
    .filter((ttl) => !answers.some((one) => one.ttl === ttl))
    .toSorted((a, b) => a - b);
  if (!isWhole && answers.length === 0) return unasked.at(-1) ?? null;
  if (!isWhole && isAsKnown(known, answers, now)) return null;
  const isInwards =
    !isWhole && answers.length < limits.silentHopsAtFailure && !answers.some(isHeard);
  if (isInwards && unasked.length > 0) return unasked.at(-1) ?? null;
  const other = firstOther(settled, answers);
  const nearer = unasked.find((ttl) => other === null || ttl < other.ttl);
  const heard = deepestOf(answers.filter(isHeard));
  if (nearer !== undefined && (isWhole || other !== null || nearer > heard)) return nearer;
  return (
    circleAsk(answers) ??
    (other !== null && isConfirmed(answers, other) ? other.ttl : null) ??
    unasked.find((ttl) => other !== null && ttl > other.ttl) ??
    lastAsks(known, ttls, answers)
  );
}

/** The hops that changed and are not known well yet: whether they are as before again is asked too. */
const changedTtls = ({ hops, changes }: KnownPath): readonly number[] =>
  hops
    .filter(({ ttl, address }) => changes.some((one) => one.ttl === ttl && one.came === address))
    .map(({ ttl }) => ttl);

const isAnswered = (answers: readonly PathHop[]): boolean =>
  answers.some(({ ended }) => ended === "target");

/** The nearest hop at which another router answers than before. */
const firstOther = (settled: readonly KnownHop[], answers: readonly PathHop[]): KnownHop | null =>
  settled.find(({ ttl, address }) => {
    const addresses = addressesAt(answers, ttl);
    return addresses.length > 0 && !addresses.includes(address);
  }) ?? null;

function isConfirmed(answers: readonly PathHop[], { ttl }: KnownHop): boolean {
  const here = answersAt(answers, ttl);
  return (
    here.filter(isHeard).length < limits.confirmingAnswers &&
    here.length <= limits.confirmingAnswers
  );
}

/** Packets that go in a circle come by again one hop further. */
function circleAsk(answers: readonly PathHop[]): number | null {
  if (circleSuspect(answers) !== "perhaps") return null;
  const next = deepestOf(answers) + 1;
  return next > limits.hopsMax ? null : next;
}

/** A hop that was near is waited for less: who waits for the failure's evidence waits for it. */
export function patienceFor(known: KnownPath, ttl: number): Millis {
  const before = hopAt(known, ttl)?.roundTrip ?? null;
  const usual = before === null ? 0 : nanosToMillis(before) * limits.askPatienceFactor;
  return millis(Math.min(limits.askPatienceMin + usual, limits.askPatience));
}
