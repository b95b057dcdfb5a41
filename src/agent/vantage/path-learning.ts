import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath, OtherHop, PathChange, PathFlow } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { changeIn } from "#agent/vantage/path-changes";
import {
  addressesAt,
  answersAt,
  hopAt,
  isAnother,
  isHeard,
  isSettled,
} from "#agent/vantage/settled-hop";
import type { EpochMillis } from "#base/units";

/** A path of which nothing is known yet. */
export const unknownPath = (network: string, flow: PathFlow, at: EpochMillis): KnownPath => ({
  network,
  flow,
  hops: [],
  length: null,
  tracedAt: at,
  changes: [],
});

/** What is known of a path after one more trace of it. */
export function learned(known: KnownPath, answers: readonly PathHop[], at: EpochMillis): KnownPath {
  const change = changeIn(known, answers, at) ?? returnIn(known, answers, at);
  const target = answers.find(({ ended }) => ended === "target")?.ttl ?? null;
  const length = target ?? known.length;
  // What does not get to the end shows nothing of the hops: they are kept as they were while it did.
  const isCut = change !== null && (change.kind === "ended" || change.kind === "circle");
  const hops = isCut ? known.hops : hopsAfter(known, answers, at);
  return {
    ...known,
    hops: hops.filter(({ ttl }) => length === null || ttl < length),
    length,
    tracedAt: at,
    changes: withChange(known.changes, change),
  };
}

function withChange(
  changes: readonly PathChange[],
  change: PathChange | null,
): readonly PathChange[] {
  if (change === null) return changes;
  const [newest] = changes;
  const isSame =
    newest?.kind === change.kind &&
    newest.ttl === change.ttl &&
    newest.gone === change.gone &&
    newest.came === change.came;
  // A path that stays cut was seen as it had been before all of that.
  return isSame ? changes : [change, ...changes].slice(0, limits.changesPerPathMax);
}

function hopsAfter(
  known: KnownPath,
  answers: readonly PathHop[],
  at: EpochMillis,
): readonly KnownHop[] {
  const ttls = new Set([...known.hops, ...answers].map(({ ttl }) => ttl));
  return [...ttls]
    .toSorted((a, b) => a - b)
    .flatMap((ttl) => {
      const hop = hopAt(known, ttl);
      const here = answersAt(answers, ttl);
      if (here.length === 0 || here.some(({ ended }) => ended === "target" || ended === "refusal"))
        return hop ?? [];
      const isBeyondHeard = answers.some((one) => one.ttl > ttl && isHeard(one));
      return hopAfter(hop, here, at, isBeyondHeard) ?? [];
    });
}

function hopAfter(
  hop: KnownHop | null,
  here: readonly PathHop[],
  at: EpochMillis,
  isBeyondHeard: boolean,
): KnownHop | null {
  const heard = here.filter(isHeard);
  const addresses = heard.flatMap(({ address }) => address ?? []);
  const [address] = addresses;
  if (address === undefined)
    return hop === null || !isBeyondHeard ? hop : { ...hop, silent: hop.silent + 1 };
  const roundTrip = heard.find(({ roundTrip: one }) => one !== null)?.roundTrip ?? null;
  const times = addresses.filter((one) => one === address).length;
  const fresh = { ...freshHop, ttl: here[0]?.ttl ?? 0, address, roundTrip, times };
  const rest = addresses.filter((one) => one !== address);
  if (hop === null)
    return {
      ...fresh,
      since: at,
      seenAt: at,
      others: othersOf(atOnce(rest, at), at),
      flippedAt: rest.length > 0 ? at : null,
    };
  if (addresses.every((one) => one === hop.address)) {
    const again = { seenAt: at, times: hop.times + times, silent: 0 };
    return { ...hop, ...again, roundTrip: roundTrip ?? hop.roundTrip };
  }
  return otherHop(hop, { ...fresh, since: at, seenAt: at }, rest);
}

/** Another router than before answered, alone or in turns with others: `rest`. */
function otherHop(hop: KnownHop, fresh: KnownHop, rest: readonly string[]): KnownHop {
  const { address, seenAt: at, times } = fresh;
  const before = { address: hop.address, seenAt: hop.seenAt };
  const others = othersOf([...atOnce(rest, at), before, ...hop.others], at);
  const isBackAndForth = rest.length > 0 || isAnother(hop, address, at);
  // What a loss kept from being confirmed is looked at with the next trace.
  if (isSettled(hop, at) && !isBackAndForth && times < limits.confirmingAnswers) return hop;
  return {
    ...fresh,
    others: others.filter((one) => one.address !== address),
    flippedAt: isBackAndForth ? at : hop.flippedAt,
  };
}

const atOnce = (addresses: readonly string[], seenAt: EpochMillis): readonly OtherHop[] =>
  addresses.map((address) => ({ address, seenAt }));

const freshHop = { silent: 0, others: [], flippedAt: null } as const;

/** Each once, the newest first, and none that was not seen for long. */
function othersOf(all: readonly OtherHop[], now: EpochMillis): readonly OtherHop[] {
  const recent = all.filter(({ seenAt }) => now - seenAt <= limits.flapRemembered);
  const byAddress = Map.groupBy(recent, ({ address }) => address);
  return [...byAddress.values()].flatMap(([one]) => one ?? []).slice(0, limits.othersPerHopMax);
}

/** A router of before is back at its hop. It is shown, and said of no failure: whether it stays cannot be known. */
function returnIn(
  known: KnownPath,
  answers: readonly PathHop[],
  at: EpochMillis,
): PathChange | null {
  for (const hop of known.hops) {
    if (!isSettled(hop, at)) continue;
    const [came, more] = addressesAt(answers, hop.ttl);
    if (came === undefined || more !== undefined || came === hop.address) continue;
    const { ttl, address: gone, seenAt: before } = hop;
    if (isAnother(hop, came, at)) return { kind: "returned", ttl, gone, came, before, at };
  }
  return null;
}
