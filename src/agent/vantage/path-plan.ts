import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath } from "#check/known-path";
import * as limits from "#limits/path-limits";
import {
  addressesAt,
  answersAt,
  hopAt,
  isEnd,
  isHeard,
  isSettled,
  settledHops,
} from "#agent/vantage/settled-hop";
import type { EpochMillis } from "#base/units";

/*
 * Which hop a trace asks next, by what is known of the path and what was answered so far; null if it is over. A packet at a
 * time: what is asked again depends on what came.
 */

/** While all is well: every hop, and again what is new, silent or different. */
export function nextQuietAsk(
  known: KnownPath | null,
  answers: readonly PathHop[],
  now: EpochMillis,
): number | null {
  const last = answers.at(-1);
  // What is in this machine's own network has no path.
  if (last === undefined) return known?.length === 1 ? null : 1;
  if (answers.length >= limits.tracePacketsMax) return null;
  if (isAskedAgain(known, answers, last.ttl, now)) return last.ttl;
  const deepest = deepestOf(answers);
  if (isOver(known, answers, deepest)) return proofAsk(known, answers, now);
  const next = deepest + 1;
  // The target has a connection less to end, and its log a line less.
  return next === known?.length && isAsKnown(known, answers, now) ? null : next;
}

function isAskedAgain(
  known: KnownPath | null,
  answers: readonly PathHop[],
  ttl: number,
  now: EpochMillis,
): boolean {
  const here = answersAt(answers, ttl);
  const heard = here.filter(isHeard);
  const hop = hopAt(known, ttl);
  if (heard.length === 0) return here.length < silentAsksOf(known, hop, ttl);
  const isConfirming =
    heard.length < limits.confirmingAnswers && here.length < limits.confirmingAnswers + 2;
  if (heard.some(({ ended }) => ended === "refusal")) return heard.length < limits.refusals;
  if (heard.some(isEnd))
    return known !== null && known.length !== null && ttl !== known.length && isConfirming;
  const isSame = hop === null || addressesAt(answers, ttl).every((one) => one === hop.address);
  if (!isSame) return isConfirming;
  if (hop !== null && isSettled(hop, now)) return false;
  return heard.length < limits.learningAsks && here.length < limits.learningAsks + 2;
}

/** What always was silent is asked once. */
const silentAsksOf = (known: KnownPath | null, hop: KnownHop | null, ttl: number): number =>
  (hop !== null && hop.silent < limits.silentTracesMax) || known?.length === ttl
    ? limits.silentAsks
    : 1;

function isOver(known: KnownPath | null, answers: readonly PathHop[], deepest: number): boolean {
  if (answersAt(answers, deepest).some(isEnd) || deepest >= limits.hopsMax) return true;
  if (known === null || answersAt(answers, deepest).some(isHeard)) return false;
  const outermost = Math.max(0, ...known.hops.map(({ ttl }) => ttl));
  if (deepest >= (known.length ?? outermost + limits.silentHopsMax)) return true;
  return silentTail(known, answers).length >= limits.silentHopsMax;
}

/** Hops that used to answer, were asked, and are silent, as is all that was asked behind them. */
function silentTail(known: KnownPath, answers: readonly PathHop[]): readonly number[] {
  const heard = deepestOf(answers.filter(isHeard));
  const asked = new Set(answers.map(({ ttl }) => ttl));
  const expected = known.hops.map(({ ttl }) => ttl);
  return [...expected, ...(known.length === null ? [] : [known.length])].filter(
    (ttl) => ttl > heard && asked.has(ttl),
  );
}

/**
 * Where a path ends that went further, what is silent is asked until that is no chance, and then the last router that
 * answers once more: it shows that packets still leave and come back.
 */
function proofAsk(
  known: KnownPath | null,
  answers: readonly PathHop[],
  now: EpochMillis,
): number | null {
  if (known === null) return null;
  const ttls = settledHops(known, now).map(({ ttl }) => ttl);
  const heard = deepestOf(answers.filter(isHeard));
  return ttls.some((ttl) => ttl > heard) ? lastAsks(known, ttls, answers) : null;
}

export const deepestOf = (answers: readonly PathHop[]): number =>
  Math.max(0, ...answers.map(({ ttl }) => ttl));

/** Whether each hop that was asked answered as it is known. */
export function isAsKnown(
  known: KnownPath,
  answers: readonly PathHop[],
  now: EpochMillis,
): boolean {
  const asked = new Set(answers.map(({ ttl }) => ttl));
  return known.hops.every((hop) => {
    if (!asked.has(hop.ttl)) return true;
    const addresses = addressesAt(answers, hop.ttl);
    if (addresses.length === 0) return !isSettled(hop, now);
    return addresses.every((one) => one === hop.address);
  });
}

/** The target, what became silent first until that is no chance, and at last who is in front of it. */
export function lastAsks(
  known: KnownPath,
  ttls: readonly number[],
  answers: readonly PathHop[],
): number | null {
  if (answers.some(isEnd)) return null;
  const { length } = known;
  if (length !== null && !answers.some(({ ttl }) => ttl === length)) return length;
  const heard = deepestOf(answers.filter(isHeard));
  const cut = ttls.find((ttl) => ttl > heard);
  if (heard === 0 || cut === undefined) return null;
  const silent = answers.filter(({ ttl }) => ttl > heard && ttls.includes(ttl));
  if (silent.length < limits.silentAsksAtEnd) return cut;
  const isProven = answers.findLastIndex(({ ttl }) => ttl === heard) > lastBehind(answers, heard);
  return isProven ? null : heard;
}

/** Where the last silence behind a hop is among the answers. */
export const lastBehind = (answers: readonly PathHop[], heard: number): number =>
  answers.findLastIndex(({ ttl }) => ttl > heard);
