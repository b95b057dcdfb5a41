import path from "node:path";
import type { Environment } from "#config/environment";
import { networkOf } from "#agent/looks/path-users";
import { readValues, withoutEmpty } from "#agent/settings/values";
import { keptPaths } from "#agent/state/path-file";
import { nextFailureAsk } from "#agent/vantage/path-failure-plan";
import { changeToSay, pathFailureOf } from "#agent/vantage/said-change";
import { systemClock } from "#base/clock";
import { lasting } from "#base/duration";
import { between } from "#base/units";
import type { PathHop } from "#check/evidence";
import type { KnownPath, PathChange } from "#check/known-path";
import { changeWords, knownPathWords, saidChangeWords } from "#check/path-words";
import type { Result } from "#check/result";
import type { Step } from "#cli/why/why-steps";
import * as limits from "#limits/path-limits";
import { openFlowAsk } from "#probes/evidence/flow-trace";

/**
 * The path to a target as the agent of this machine has kept it, what changed of it lately, and, if the check failed, what
 * is different now. Empty if no agent here keeps it.
 */
export async function pathSteps(
  result: Result,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const { outcome, failure } = result;
  const address = outcome?.evidence?.address ?? outcome?.addresses.at(-1)?.address ?? null;
  const known = address === null ? null : keptPathTo(address, env);
  if (known === null || address === null) return [];
  const kept = [pathStep(known), ...known.changes.filter(isRecent).map(changeStep)];
  if (failure === null || known.flow.address !== address) return kept;
  const kind = pathFailureOf(failure, outcome?.evidence ?? null);
  if (kind === null) return kept;
  const answers = await answersNow(known, kind !== "unanswered", signal);
  const at = systemClock.wall();
  const change = changeToSay({ known, answers, failure: kind, passedAt: null, at });
  return [
    ...kept,
    change === null
      ? { step: "path now", is: "unknown", says: "no change that explains the failure was seen" }
      : { step: "path now", is: "broken", says: saidChangeWords({ change, to: address }, at) },
  ];
}

function keptPathTo(address: string, env: Environment): KnownPath | null {
  const { values } = readValues(withoutEmpty(env), ["PICKET_STATE_DIR"]);
  try {
    const paths = keptPaths(path.join(values.PICKET_STATE_DIR, "paths.json"));
    return paths.find(({ network }) => network === networkOf(address)) ?? null;
  } catch {
    // Another user's, or damaged: the running agent says so itself.
    return null;
  }
}

const pathStep = (known: KnownPath): Step => ({
  step: "path before",
  is: "well",
  says: `${knownPathWords(known)}, ${agoWords(known.tracedAt)}`,
});

const changeStep = (change: PathChange): Step => ({
  step: "path changed",
  is: "unknown",
  says: `${agoWords(change.at)}, ${changeWords(change)}; as before ${agoWords(change.before)}`,
});

const agoWords = (at: KnownPath["tracedAt"]): string =>
  `${lasting(between(at, systemClock.wall()))} ago`;

const isRecent = ({ at }: PathChange): boolean =>
  between(at, systemClock.wall()) <= limits.knowledgeUsed;

/** Who answers on the path now, in the flow that is known. */
async function answersNow(
  known: KnownPath,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<readonly PathHop[]> {
  const ask = openFlowAsk(systemClock);
  const answers: PathHop[] = [];
  if (ask === null) return answers;
  for (;;) {
    const ttl = nextFailureAsk(known, answers, systemClock.wall(), isWhole);
    const hop = ttl === null ? null : await ask(known.flow, ttl, limits.askPatience, signal);
    if (hop === null || signal.aborted) return answers;
    answers.push(hop);
  }
}
