import type { PathHop } from "#check/evidence";
import type { KnownHop, KnownPath } from "#check/known-path";
import * as limits from "#limits/path-limits";
import type { EpochMillis } from "#base/units";

/**
 * Whether a hop is known well enough to say that it changed: one router alone has answered there, often, at different
 * times and not too long ago.
 */
export function isSettled(hop: KnownHop, now: EpochMillis): boolean {
  const { times, since, seenAt, silent, flippedAt } = hop;
  return (
    times >= limits.settledAnswers &&
    seenAt - since >= limits.settledAfter &&
    now - seenAt <= limits.knowledgeUsed &&
    silent < limits.silentTracesMax &&
    (flippedAt === null || now - flippedAt > limits.flapRemembered)
  );
}

export const settledHops = (path: KnownPath, now: EpochMillis): readonly KnownHop[] =>
  path.hops.filter((hop) => isSettled(hop, now));

export const hopAt = (path: KnownPath | null, ttl: number): KnownHop | null =>
  path?.hops.find((hop) => hop.ttl === ttl) ?? null;

/** Whether a router was seen at a hop lately, and then another: it may be again. */
export const isAnother = (hop: KnownHop, address: string, now: EpochMillis): boolean =>
  hop.others.some((one) => one.address === address && now - one.seenAt <= limits.flapRemembered);

/** Every answer at one hop, those of silence included. */
export const answersAt = (answers: readonly PathHop[], ttl: number): readonly PathHop[] =>
  answers.filter((one) => one.ttl === ttl);

/** Who answered there, each once. */
export const addressesAt = (answers: readonly PathHop[], ttl: number): readonly string[] => [
  ...new Set(answersAt(answers, ttl).flatMap(({ address }) => address ?? [])),
];

export const isHeard = ({ ended }: PathHop): boolean => ended !== "silence";
export const isEnd = ({ ended }: PathHop): boolean => ended === "target" || ended === "refusal";
