import * as limits from "#limits/service-limits";
import { Owners } from "#service/agents/owners";
import { after, between, type EpochMillis } from "#base/units";

/*
 * Which agent of a location runs which monitor. Each monitor is pinned to one of those that are wanted; when they
 * change, those that were settled on before keep what they run until the new owners have said that they run it. An
 * overlap costs a check that counts once; a gap would cost a result.
 */

/** One agent of a location that shares its monitors with the others. */
export interface Sharer {
  readonly id: string;
  readonly lastSeenAt: EpochMillis;
  /** It said that it takes no slot any more. */
  readonly left: boolean;
  /** The revision that it said it runs; empty while it may be taking another. */
  readonly revision: string;
  /** Monitors are placed on it. */
  readonly wanted: boolean;
  /** They were placed on it before, and every owner of then had taken its share. */
  readonly settled: boolean;
  /** Since when it is steadily back after it was gone while others ran on; null when it need not prove itself. */
  readonly steadyFrom: EpochMillis | null;
}

export interface Call {
  readonly id: string;
  readonly leaving: boolean;
  /** The revision that the caller says it runs. */
  readonly revision: string;
  /** Its own place is broken: others see what it cannot. Null if the call does not say. */
  readonly impaired: boolean | null;
}

/** Who runs the monitors of a location. */
export interface Placing {
  /** Who is to run each. */
  readonly wanted: Owners;
  /** Who ran each before, until all of the wanted ones have said that they run it; no one once they have. */
  readonly before: Owners;
}

export const unplaced = (monitorIds: readonly string[]): Placing => {
  const owners = Owners.noneOf(monitorIds);
  return { wanted: owners, before: owners };
};

/** The same sharers, with some monitors more and some fewer. */
export function withMonitors(
  { wanted, before }: Placing,
  come: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Placing {
  const changed = wanted.withMonitors(come, gone);
  return { wanted: changed, before: before === wanted ? changed : before.withMonitors(come, gone) };
}

/** Whether a sharer runs a monitor, if the location does. */
export const isIn = ({ wanted, before }: Placing, id: string, monitor: string): boolean =>
  wanted.ownerOf(monitor) === id || before.ownerOf(monitor) === id;

/** How monitors are placed on these sharers, calculated from how they were placed before. */
export function placingOf(known: Placing, sharers: readonly Sharer[]): Placing {
  const nearTo = (ids: readonly string[]): Owners => {
    const { wanted, before } = known;
    return wanted.distanceTo(ids) <= before.distanceTo(ids) ? wanted : before;
  };
  const ownersOf = (ids: readonly string[]): Owners => nearTo(ids).among(ids);
  return {
    wanted: ownersOf(idsOf(sharers, "wanted")),
    before: ownersOf(isSettled(sharers) ? [] : idsOf(sharers, "settled")),
  };
}

/** The monitors of one sharer, in their order. */
export const shareOf = ({ wanted, before }: Placing, id: string): readonly string[] =>
  wanted.monitorIds.filter((_, index) => wanted.at(index) === id || before.at(index) === id);

/** The sharers after a call of one of them: the silent ones are lost, and the caller is there, back, or gone. */
export function afterCall(
  sharers: readonly Sharer[],
  call: Call,
  now: EpochMillis,
  serviceStartedAt: EpochMillis,
): readonly Sharer[] {
  const present = sharers.map((one) => withoutLost(one, sharers, now, serviceStartedAt));
  const others = present.filter(({ id }) => id !== call.id);
  const caller = present.find(({ id }) => id === call.id) ?? newcomer(call.id, now);
  const called = calling(caller, call, others, now);
  return withNewlyWanted([...others, { ...called, lastSeenAt: now, revision: call.revision }], now);
}

/** One that leaves gives its share up, and so does one that cannot see, where another is there that can. */
function calling(
  caller: Sharer,
  { leaving, impaired }: Call,
  others: readonly Sharer[],
  now: EpochMillis,
): Sharer {
  if (leaving)
    return { ...caller, left: true, wanted: false, steadyFrom: others.some(isWanted) ? now : null };
  const there = { ...caller, left: false, steadyFrom: provesFrom(caller, now) };
  const isReplaced = others.some((one) => one.wanted && !isSilent(one, now));
  return impaired === true && isReplaced ? { ...there, wanted: false, steadyFrom: now } : there;
}

/** The wanted ones are settled on once each of them says that it runs its share: `revisionOf` gives the one that it should run. */
export function afterSettling(
  sharers: readonly Sharer[],
  revisionOf: (id: string) => string,
): readonly Sharer[] {
  const wanted = sharers.filter(isWanted);
  if (isSettled(sharers) || wanted.length === 0) return sharers;
  // Whoever is about to take its share has said nothing: what that is need not be calculated.
  if (wanted.some(({ revision }) => revision === "")) return sharers;
  if (wanted.some(({ id, revision }) => revision !== revisionOf(id))) return sharers;
  return sharers.map((one) => ({ ...one, settled: one.wanted }));
}

/**
 * The caller is answered with `revision`. Where that is not what it said, it is about to run something else, so what it
 * said counts for nothing until it calls again: an older share may become wanted again before that.
 */
export const afterAnswer = (
  sharers: readonly Sharer[],
  callerId: string,
  revision: string,
): readonly Sharer[] =>
  sharers.map((one) =>
    one.id === callerId && one.revision !== revision ? { ...one, revision: "" } : one,
  );

const idsOf = (sharers: readonly Sharer[], mark: "wanted" | "settled"): readonly string[] =>
  sharers.filter((one) => one[mark]).map(({ id }) => id);

const isSettled = (sharers: readonly Sharer[]): boolean =>
  sharers.every(({ wanted, settled }) => wanted === settled);

const newcomer = (id: string, now: EpochMillis): Sharer => ({
  id,
  lastSeenAt: now,
  left: false,
  revision: "",
  wanted: false,
  settled: false,
  steadyFrom: null,
});

const isWanted = ({ wanted }: Sharer): boolean => wanted;

const isSilent = ({ lastSeenAt }: Sharer, now: EpochMillis): boolean =>
  between(lastSeenAt, now) > limits.shareLostAfter;

/** A sharer that has been silent for too long is not wanted; it has to prove itself if others called meanwhile. */
function withoutLost(
  one: Sharer,
  all: readonly Sharer[],
  now: EpochMillis,
  serviceStartedAt: EpochMillis,
): Sharer {
  if (!one.wanted || !isSilent(one, now)) return one;
  if (now <= after(serviceStartedAt, limits.shareStartGrace)) return one;
  const outlived = all.some(
    ({ wanted, lastSeenAt }) =>
      wanted && between(one.lastSeenAt, lastSeenAt) >= limits.shareOutlivedBy,
  );
  return { ...one, wanted: false, steadyFrom: outlived ? now : null };
}

/** Being away and coming back begins the proof anew. */
const provesFrom = (caller: Sharer, now: EpochMillis): EpochMillis | null =>
  caller.steadyFrom !== null && (caller.left || isSilent(caller, now)) ? now : caller.steadyFrom;

/**
 * Where none is wanted, all that are there are, at once. Else those who need no proof or have given it are, together,
 * and only from a settled state: what is just being handed over is never handed on.
 */
function withNewlyWanted(sharers: readonly Sharer[], now: EpochMillis): readonly Sharer[] {
  const alone = !sharers.some(isWanted);
  if (!alone && !isSettled(sharers)) return sharers;
  return sharers.map((one) => {
    if (one.wanted || one.left || isSilent(one, now)) return one;
    const proved =
      one.steadyFrom === null || between(one.steadyFrom, now) >= limits.shareProvingTime;
    return alone || proved ? { ...one, wanted: true, steadyFrom: null } : one;
  });
}
