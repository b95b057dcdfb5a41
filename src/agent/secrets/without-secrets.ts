import { cutBody, cutHeaders } from "#check/kinds/http/http-cut";
import { kindTable } from "#check/kinds/kind-table";
import type { Cut, KindEntry } from "#check/kinds/kind-entry";
import type { Kind } from "#check/monitor";
import { type SecretEcho, SearchSteps } from "#check/secret-echo";
import { removed } from "#check/shown-header";
import * as limits from "#limits/secrets-limits";
import type { Assertion, AssertionKind, Evaluation } from "#check/assertion";
import type { Failure, FailureCode } from "#check/failure";
import type { Outcome, OutcomeOf } from "#check/outcome";
import type { Verdict } from "#check/verdict";
import type { Millis } from "#base/units";

/** One attempt with what it came to. */
export interface JudgedAttempt {
  readonly outcome: Outcome;
  readonly evaluations: readonly Evaluation[];
  readonly latency: Millis;
  readonly verdict: Verdict;
}

/**
 * The same, without the secrets that went to the target and that it sent back. A body is searched if it is reported: that
 * of a check that passed is not, unless a person asked for the check.
 */
export function withoutSecrets(
  { outcome, evaluations, latency, verdict }: JudgedAttempt,
  echoes: readonly SecretEcho[],
  reportsBody: boolean = verdict.status !== "success",
): JudgedAttempt {
  if (echoes.length === 0) return { outcome, evaluations, latency, verdict };
  const cut = boundedCutOf(echoes);
  return {
    outcome: cutOutcome(outcome, cut, reportsBody),
    evaluations: evaluations.map((one) => ({
      ...one,
      received: cut(one.received, judgedWithout.has(one.kind)),
    })),
    latency,
    verdict:
      verdict.status === "error"
        ? { ...verdict, failure: cutFailure(verdict.failure, cut) }
        : verdict,
  };
}

/** These saw what `judgeable` gave them, so that what they show of it ends within no secret. */
const judgedWithout: ReadonlySet<AssertionKind> = new Set(["header", "body", "json"]);

/** What assertions may look at, and of which kinds are those that cannot be judged by it. */
interface Judgeable {
  readonly outcome: Outcome;
  readonly unsearched: ReadonlySet<AssertionKind>;
}

/**
 * What a target sent back has no secret in it when assertions look at it. A monitor is the service's word, and could else
 * ask an answer that repeats a secret for one character after the other. What could not be searched to its end is not there.
 */
export function judgeable(
  outcome: Outcome,
  assertions: readonly Assertion[],
  echoes: readonly SecretEcho[],
): Judgeable {
  const whole = { outcome, unsearched: new Set<AssertionKind>() };
  if (outcome.kind !== "http" || outcome.response === null || echoes.length === 0) return whole;
  const readsHeaders = assertions.some(({ kind }) => kind === "header");
  const readsBody = assertions.some(({ kind }) => kind === "body" || kind === "json");
  if (!readsHeaders && !readsBody) return whole;
  const { response } = outcome;
  const ofHeaders = new SearchSteps(limits.judgedSearchSteps);
  const ofBody = new SearchSteps(limits.judgedSearchSteps);
  const headers = readsHeaders
    ? cutHeaders(response.headers, cutOf(echoes, ofHeaders))
    : response.headers;
  const body = readsBody ? cutBody(response, cutOf(echoes, ofBody)) : response.body;
  return {
    outcome: { ...outcome, response: { ...response, headers, body } },
    unsearched: new Set<AssertionKind>([
      ...(ofHeaders.isUsedUp ? (["header"] as const) : []),
      ...(ofBody.isUsedUp ? (["body", "json"] as const) : []),
    ]),
  };
}

/** Evaluations of what could not be searched: they do not hold, and say why. */
export const withoutUnsearched = (
  evaluations: readonly Evaluation[],
  unsearched: Judgeable["unsearched"],
): readonly Evaluation[] =>
  evaluations.map((one) => (unsearched.has(one.kind) ? { ...one, ...notSearched } : one));

const notSearched = {
  held: false,
  received: removed,
  unproven: false,
  unreadable:
    "too much of the answer looks like a secret of this location that the check sends, so it was not compared",
} as const;

const cutOf =
  (echoes: readonly SecretEcho[], steps: SearchSteps): Cut =>
  (text, isWhole) =>
    echoes.reduce((rest, echo) => echo.cut(rest, isWhole, steps), text);

/** A report goes without a text that takes too long: the thread that measures searches it. */
const boundedCutOf =
  (echoes: readonly SecretEcho[]): Cut =>
  (text, isWhole) =>
    cutOf(echoes, new SearchSteps(limits.secretSearchSteps))(text, isWhole);

function cutOutcome(outcome: Outcome, cut: Cut, reportsBody: boolean): Outcome {
  const failure = outcome.failure === null ? null : cutFailure(outcome.failure, cut);
  return cutOfKind(outcome.kind, { ...outcome, failure }, cut, reportsBody);
}

function cutOfKind<K extends Kind>(
  kind: K,
  outcome: OutcomeOf<K>,
  cut: Cut,
  reportsBody: boolean,
): Outcome {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.cut(outcome, cut, reportsBody);
}

const cutFailure = (failure: Failure, cut: Cut): Failure => ({
  ...failure,
  // What an assertion expects ends the message: the service's own words, and so may be a guess.
  message: cut(failure.message, endsWithExpected.has(failure.code)),
});

const endsWithExpected: ReadonlySet<FailureCode> = new Set(["assertion_failed", "body_too_large"]);
