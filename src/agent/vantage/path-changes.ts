import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath, PathChange } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { circleSuspect } from "#agent/vantage/path-circle";
import { deepestOf, lastBehind } from "#agent/vantage/path-plan";
import {
  addressesAt,
  answersAt,
  hopAt,
  isAnother,
  isHeard,
  settledHops,
} from "#agent/vantage/settled-hop";
import type { EpochMillis } from "#base/units";

/**
 * What a trace shows to be different from the path that is known: the change that is nearest to this machine. Null if
 * nothing is, or if it cannot be known. One router that is silent says nothing, nor does one of several that take turns.
 */
export function changeIn(
  known: KnownPath,
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  const settled = settledHops(known, at);
  const circle = circleIn(known, answers, at);
  if (circle !== null) return circle;
  if (answers.some(({ ended }) => ended === "refusal")) return refusalIn(settled, answers, at);
  for (const hop of settled) {
    const addresses = addressesAt(answers, hop.ttl);
    const [came] = addresses;
    if (came === undefined || addresses.includes(hop.address)) continue;
    if (addresses.length > 1 || isAnother(hop, came, at)) return null;
    const heard = answersAt(answers, hop.ttl).filter(isHeard);
    if (heard.length < limits.confirmingAnswers || isElsewhere(known, hop, came)) return null;
    return { ...differenceAt(known, hop, came, answers), before: hop.seenAt, at };
  }
  return endIn(settled, answers, at);
}

/** Whether a router is known at a hop nearer to this machine: that is no new one. */
const isElsewhere = ({ hops }: KnownPath, { ttl }: KnownHop, came: string): boolean =>
  hops.some((one) => one.address === came && one.ttl < ttl);

function differenceAt(
  known: KnownPath,
  hop: KnownHop,
  came: string,
  answers: readonly PathHop[],
): Pick<PathChange, "kind" | "ttl" | "gone" | "came"> {
  const { ttl, address: gone } = hop;
  const isTarget = answersAt(answers, ttl).some(({ ended }) => ended === "target");
  if (isTarget || hopAt(known, ttl + 1)?.address === came)
    return { kind: "lost", ttl, gone, came: isTarget ? null : came };
  if (addressesAt(answers, ttl + 1).includes(gone))
    return { kind: "gained", ttl, gone: null, came };
  return { kind: "replaced", ttl, gone, came };
}

/** A path that always was seen so has routers with several names, and no circle. */
function circleIn(
  { hops }: KnownPath,
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  if (answers.some(({ ended }) => ended === "target")) return null;
  const circle = circleSuspect(answers);
  if (circle === null || circle === "perhaps") return null;
  const { ttl, first, second } = circle;
  const before = hops.find((one) => one.ttl > ttl)?.seenAt;
  if (before === undefined || hops.filter(({ address }) => address === first).length > 1)
    return null;
  return { kind: "circle", ttl, came: first, gone: second, before, at };
}

/** A router of the path that says that it does not pass packets on: all behind it is gone. */
function refusalIn(
  settled: readonly KnownHop[],
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  const refusals = answers.filter(({ ended }) => ended === "refusal");
  const [came = null, other] = new Set(refusals.map(({ address }) => address));
  if (refusals.length < limits.refusals || other !== undefined) return null;
  const refuser = settled.find(({ address }) => address === came);
  const behind = settled.find(({ ttl }) => refuser !== undefined && ttl > refuser.ttl);
  if (behind === undefined) return null;
  const { ttl, address: gone, seenAt: before } = behind;
  return { kind: "ended", ttl, gone, came, before, at };
}

/**
 * A path that ends where it went on: hops behind a router that answers are silent, and it still answers when they were
 * asked in vain. The target alone may be what fails.
 */
function endIn(
  settled: readonly KnownHop[],
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  const heard = deepestOf(answers.filter(isHeard));
  const behind = settled.find(({ ttl }) => ttl > heard);
  const [last] = addressesAt(answers, heard);
  if (behind === undefined || last === undefined) return null;
  const here = answersAt(answers, heard);
  if (here.some(({ ended }) => ended === "target")) return null;
  const end = { kind: "ended", ttl: behind.ttl, gone: behind.address, came: last, at } as const;
  const silent = answers.filter(({ ttl }) => ttl > heard && settled.some((one) => one.ttl === ttl));
  const isProven =
    answers.findLastIndex((one) => one.ttl === heard && isHeard(one)) > lastBehind(answers, heard);
  return isProven && silent.length >= limits.silentAsksAtEnd
    ? { ...end, before: behind.seenAt }
    : null;
}
