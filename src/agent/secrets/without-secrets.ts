import { cutBody, cutHeaders } from "#check/kinds/http/http-cut";
import { kindTable } from "#check/kinds/kind-table";
import type { Cut, KindEntry } from "#check/kinds/kind-entry";
import type { Kind } from "#check/monitor";
import { type SecretEcho, SearchSteps } from "#check/secret-echo";
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

/** The same, without the secrets that went to the target and that it sent back. */
export function withoutSecrets(
  { outcome, evaluations, latency, verdict }: JudgedAttempt,
  echoes: readonly SecretEcho[],
): JudgedAttempt {
  const cut = boundedCutOf(echoes);
  return {
    outcome: cutOutcome(outcome, verdict, cut),
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

/**
 * What assertions may look at: what a target sent back has no secret in it. A monitor is the service's word, and could else
 * ask an answer that repeats a secret for one character after the other.
 */
export function judgeable(
  outcome: Outcome,
  assertions: readonly Assertion[],
  echoes: readonly SecretEcho[],
): Outcome {
  if (outcome.kind !== "http" || outcome.response === null || echoes.length === 0) return outcome;
  const cut = cutOf(echoes);
  const readsHeaders = assertions.some(({ kind }) => kind === "header");
  const readsBody = assertions.some(({ kind }) => kind === "body" || kind === "json");
  if (!readsHeaders && !readsBody) return outcome;
  const { response } = outcome;
  const headers = readsHeaders ? cutHeaders(response.headers, cut) : response.headers;
  const body = readsBody ? cutBody(response, cut) : response.body;
  return { ...outcome, response: { ...response, headers, body } };
}

const cutOf =
  (echoes: readonly SecretEcho[]): Cut =>
  (text, isWhole) =>
    echoes.reduce((rest, echo) => echo.cut(rest, isWhole), text);

/** A report goes without a text that takes too long: the thread that measures searches it. */
const boundedCutOf =
  (echoes: readonly SecretEcho[]): Cut =>
  (text, isWhole) => {
    const steps = new SearchSteps(limits.secretSearchSteps);
    return echoes.reduce((rest, echo) => echo.cut(rest, isWhole, steps), text);
  };

/** A check that passed reports no body, so there it is not looked through. */
function cutOutcome(outcome: Outcome, { status }: Verdict, cut: Cut): Outcome {
  const failure = outcome.failure === null ? null : cutFailure(outcome.failure, cut);
  return cutOfKind(outcome.kind, { ...outcome, failure }, cut, status !== "success");
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
