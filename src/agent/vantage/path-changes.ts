import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath, PathChange } from "#check/known-path";
import * as limits from "#limits/path-limits";
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
  for (const hop of settled) {
    const addresses = addressesAt(answers, hop.ttl);
    const [came] = addresses;
    if (came === undefined || addresses.includes(hop.address)) continue;
    if (addresses.length > 1 || isAnother(hop, came, at)) return null;
    const heard = answersAt(answers, hop.ttl).filter(isHeard);
    // A refusal is of the path only if it ends there, which is looked at below.
    if (heard.some(({ ended }) => ended === "refusal")) continue;
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

/** Packets that go round among two routers come by each of them again and again. */
function circleIn(
  { hops }: KnownPath,
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  if (answers.some(({ ended }) => ended === "target")) return null;
  const seen = answers.filter(({ ended }) => ended === "hop");
  const ttlsOf = Map.groupBy(seen, ({ address }) => address ?? "");
  for (const [address, all] of ttlsOf) {
    const ttls = [...new Set(all.map(({ ttl }) => ttl))].toSorted((a, b) => a - b);
    const [first, second] = ttls;
    if (first === undefined || second === undefined || second - first < 2) continue;
    const partner = seen.find(
      ({ ttl, address: who }) => ttl > first && ttl < second && who !== address,
    );
    const known = hops.filter((one) => one.address === address);
    const before = hops.find(({ ttl }) => ttl === second)?.seenAt ?? hops.at(-1)?.seenAt;
    if (known.length > 1 || before === undefined || !isCirclePartner(partner, seen, ttls.length))
      continue;
    return { kind: "circle", ttl: first, came: address, gone: partner.address, before, at };
  }
  return null;
}

/** The other one comes by twice as well, or the first does for a third time. */
function isCirclePartner(
  partner: PathHop | undefined,
  seen: readonly PathHop[],
  times: number,
): partner is PathHop & { readonly address: string } {
  if (partner === undefined || partner.address === null) return false;
  const ttls = new Set(
    seen.filter(({ address }) => address === partner.address).map(({ ttl }) => ttl),
  );
  return ttls.size > 1 || times > 2;
}

/**
 * A path that ends where it went on: a router says that it does not know further, or several hops behind one that answers
 * are silent, and it still answers when they were asked in vain. The target alone may be silent for a reason of its own.
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
  const refusals = here.filter(({ ended }) => ended === "refusal");
  if (refusals.length > 1) return { ...end, before: behind.seenAt };
  const silent = answers.filter(({ ttl }) => ttl > heard && settled.some((one) => one.ttl === ttl));
  const isProven =
    answers.findLastIndex((one) => one.ttl === heard && isHeard(one)) > lastBehind(answers, heard);
  return isProven && silent.length >= limits.silentAsksAtEnd
    ? { ...end, before: behind.seenAt }
    : null;
}
