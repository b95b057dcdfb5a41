import type { SecretEcho } from "#agent/secrets/secret-echo";
import type { Assertion, Evaluation } from "#check/assertion";
import type { Failure } from "#check/failure";
import type { HttpOutcome, HttpResponse, Outcome, OutcomeOf } from "#check/outcome";
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
  const cut = cutOf(echoes);
  return {
    outcome: cutOutcome(outcome, verdict, cut),
    evaluations: evaluations.map((one) => ({ ...one, received: cut(one.received) })),
    latency,
    verdict:
      verdict.status === "error"
        ? { ...verdict, failure: cutFailure(verdict.failure, cut) }
        : verdict,
  };
}

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
  const { response } = outcome;
  const headers = readsHeaders ? cutHeaders(response.headers, cut) : response.headers;
  const body = readsBody ? cutBody(response.body, cut) : response.body;
  return { ...outcome, response: { ...response, headers, body } };
}

const cutOf =
  (echoes: readonly SecretEcho[]): Cut =>
  (text) =>
    echoes.reduce((rest, echo) => echo.cut(rest), text);

type Cut = (text: string) => string;

function cutOutcome(outcome: Outcome, verdict: Verdict, cut: Cut): Outcome {
  const failure = outcome.failure === null ? null : cutFailure(outcome.failure, cut);
  switch (outcome.kind) {
    case "http":
      return cutHttp({ ...outcome, failure }, verdict, cut);
    case "grpc":
      return cutGrpc({ ...outcome, failure }, cut);
    case "tcp":
    case "dns":
    case "icmp":
      return { ...outcome, failure };
  }
}

const cutFailure = (failure: Failure, cut: Cut): Failure => ({
  ...failure,
  message: cut(failure.message),
});

const cutHttp = (outcome: HttpOutcome, verdict: Verdict, cut: Cut): HttpOutcome => ({
  ...outcome,
  hops: outcome.hops.map((hop) => ({ ...hop, url: cut(hop.url) })),
  response: outcome.response === null ? null : cutResponse(outcome.response, verdict, cut),
});

/** Only a degraded check reports a body, so only there it is looked through. */
function cutResponse(response: HttpResponse, { status }: Verdict, cut: Cut): HttpResponse {
  const headers = cutHeaders(response.headers, cut);
  if (status !== "degraded") return { ...response, headers, body: new Uint8Array() };
  return { ...response, headers, body: cutBody(response.body, cut) };
}

/** Looked through at once: most answers hold none. */
function cutHeaders(headers: HttpResponse["headers"], cut: Cut): HttpResponse["headers"] {
  const all = headers.flat().join("\n");
  return cut(all) === all
    ? headers
    : headers.map(([name, value]) => [cut(name), cut(value)] as const);
}

function cutBody(body: Uint8Array, cut: Cut): Uint8Array {
  const text = new TextDecoder().decode(body);
  const rest = cut(text);
  return rest === text ? body : new TextEncoder().encode(rest);
}

const cutGrpc = (outcome: OutcomeOf<"grpc">, cut: Cut): OutcomeOf<"grpc"> => ({
  ...outcome,
  servingStatus: outcome.servingStatus === null ? null : cut(outcome.servingStatus),
  grpcMessage: cut(outcome.grpcMessage),
});
