import { randomUUIDv7 } from "node:crypto";
import { unseen } from "#check/kinds/unseen";
import { monitorFields } from "#agent/prober/checks/monitor-log-fields";
import type { Prober } from "#agent/prober/prober";
import { filledTarget } from "#agent/secrets/filled-target";
import { Secrets } from "#agent/secrets/secrets";
import {
  judgeable,
  type JudgedAttempt,
  withoutSecrets,
  withoutUnsearched,
} from "#agent/secrets/without-secrets";
import type { Slot } from "#agent/prober/schedule/scheduler";
import { decide } from "#assertions/decide";
import { evaluate } from "#assertions/evaluate";
import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/check-limits";
import type { Logger } from "#base/log";
import { excerptedOutcome, searchedOutcome } from "#check/body-beginning";
import { type Failure, isAnswer } from "#check/failure";
import type { SecretEcho } from "#check/secret-echo";
import type { Monitor, RejectedMonitor, RunnableMonitor } from "#check/monitor";
import { type LatencyEnd, judgedOutcome, latencyOf } from "#check/outcome";
import { agentError } from "#probes/socket/classify";
import type { Attempt, Result } from "#check/result";
import { between, type EpochMillis, millis, type Millis } from "#base/units";
import { type ReportedAnswers, reportsExcerpt, type Verdict } from "#check/verdict";

export interface CheckTools {
  readonly prober: Pick<Prober, "probe">;
  readonly clock: Clock;
  readonly log: Logger;
  /** A number in [0, 1) for the jitter of retries. */
  readonly chance: () => number;
  /** Where the latency of an HTTP check ends; the body's last byte, unless given. */
  readonly latencyEnd?: LatencyEnd;
  /** The location's secrets; none, unless given. */
  readonly secrets?: Secrets;
  /** Whether an excerpt of a body goes with what is reported of an answer; it does, unless given. */
  readonly reportsBodies?: boolean;
  /** Of which checks an answer is reported; of those that failed, unless given. */
  readonly reportedAnswers?: ReportedAnswers;
}

/**
 * One check: the first attempt and, while it fails, as many more as the monitor allows, with growing pauses and none
 * begun past the next slot. The last attempt is the one reported. Null when `signal` ended it: an aborted
 * check says nothing about its target. Never rejects.
 */
export async function runCheck(
  { monitor, at, until }: Pick<Slot, "monitor" | "at" | "until">,
  tools: CheckTools,
  signal: EndSignal,
): Promise<Result | null> {
  if (monitor.rejection !== null) return rejectedResult(monitor, at, tools.clock);
  const attempts: Attempt[] = [];
  for (;;) {
    const judged = await attempt(monitor, tools, signal);
    const { outcome, verdict } = judged;
    const { startedAt, phases, total, own } = outcome;
    attempts.push({ startedAt, phases, total, own, failure: verdict.failure });
    if (verdict.status === "unknown" || signal.aborted) return null;
    if (attempts.length > monitor.retry || !isWorthRetrying(verdict))
      return resultOf(monitor, at, judged, verdict, attempts);
    const pause = retryPause(attempts.length, tools.chance());
    if (pause >= between(tools.clock.wall(), until))
      return resultOf(monitor, at, judged, verdict, attempts);
    await tools.clock.sleep(pause, signal);
  }
}

/** The pause before the attempt that follows the `done`th: 500 ms × 1.5ⁿ, up to a fifth more or less. */
export function retryPause(done: number, chance: number): Millis {
  const whole = limits.retryPause * limits.retryPauseGrowth ** (done - 1);
  return millis(Math.round(whole * (1 + limits.retryPauseJitter * (2 * chance - 1))));
}

/** A mistake of configuration or policy is the same the next time, and a server that says how it is has answered. */
const isWorthRetrying = ({ failure }: Verdict): boolean =>
  failure !== null &&
  failure.phase !== "config" &&
  failure.phase !== "policy" &&
  !isAnswer(failure.code);

const noSecrets = new Secrets(null);

/** An exception is our own bug: said aloud, and reported as such instead of as the target's fault. */
async function attempt(
  monitor: RunnableMonitor,
  {
    prober,
    clock,
    log,
    latencyEnd = "total",
    secrets = noSecrets,
    reportsBodies = true,
    reportedAnswers = "of failed checks",
  }: CheckTools,
  signal: EndSignal,
): Promise<JudgedAttempt> {
  const { timeout, assertions, degradedAt } = monitor;
  const startedAt = clock.wall();
  const filled = filledTarget(monitor, secrets);
  if (!filled.ok) return unprobed(monitor, startedAt, filled.failure);
  try {
    const outcome = await prober.probe(filled.value, timeout, signal);
    const open = judgeable(outcome, assertions, filled.echoes);
    const evaluations = withoutUnsearched(evaluate(open.outcome, assertions), open.unsearched);
    const verdict = decide(outcome, evaluations, degradedAt, latencyEnd);
    const latency = latencyOf(outcome, latencyEnd);
    const seen = judgedOutcome(outcome);
    const judged = { outcome: seen, evaluations, latency, verdict };
    if (reportsExcerpt(verdict, reportedAnswers))
      return excerpted(judged, filled.echoes, reportsBodies);
    return withoutSecrets(judged, filled.echoes);
  } catch (error) {
    const fault = agentError(error);
    log.error("a check failed by a fault of the agent", {
      ...monitorFields(monitor),
      "error.message": fault.message,
    });
    return unprobed(monitor, startedAt, fault);
  }
}

/** With no more of the answer's body than is reported of it. Secrets are cut before, so that none is cut in two. */
function excerpted(
  judged: JudgedAttempt,
  echoes: readonly SecretEcho[],
  reportsBodies: boolean,
): JudgedAttempt {
  const searched = { ...judged, outcome: searchedOutcome(judged.outcome, reportsBodies) };
  const shown = withoutSecrets(searched, echoes, true);
  return { ...shown, outcome: excerptedOutcome(shown.outcome, reportsBodies) };
}

/** What is said of an attempt that was never made, or of which nothing is known. */
function unprobed(
  { kind }: Pick<Monitor, "kind">,
  startedAt: EpochMillis,
  fault: Failure,
): JudgedAttempt {
  const outcome = unseen(kind, startedAt, fault);
  const verdict = { status: "error", failure: fault } as const;
  return { outcome, evaluations: [], latency: millis(0), verdict };
}

function resultOf(
  { id, kind, uri, degradedAt }: RunnableMonitor,
  slot: Result["slot"],
  { outcome, evaluations, latency }: JudgedAttempt,
  verdict: Exclude<Verdict, { status: "unknown" }>,
  attempts: readonly Attempt[],
): Result {
  return {
    id: randomUUIDv7(),
    monitorId: id,
    kind,
    uri,
    slot,
    startedAt: outcome.startedAt,
    status: verdict.status,
    failure: verdict.failure,
    cause: null,
    place: null,
    latency,
    degradedAt,
    outcome,
    evaluations,
    attempts,
  };
}

/** What becomes of a check that a fault of the agent's has cut off: nothing of it is known. */
export function brokenOffResult(
  monitor: Monitor,
  slot: Result["slot"],
  fault: Failure,
  clock: Clock,
): Result {
  if (monitor.rejection !== null) return rejectedResult(monitor, slot, clock);
  const verdict = { status: "error", failure: fault } as const;
  return resultOf(monitor, slot, unprobed(monitor, clock.wall(), fault), verdict, []);
}

/** No monitor is silent: one that cannot be run says why at each of its slots. */
function rejectedResult(
  { id, kind, uri, rejection }: RejectedMonitor,
  slot: Result["slot"],
  clock: Clock,
): Result {
  return {
    id: randomUUIDv7(),
    monitorId: id,
    kind,
    uri,
    slot,
    startedAt: clock.wall(),
    status: "error",
    failure: rejection,
    cause: null,
    place: null,
    latency: millis(0),
    degradedAt: null,
    outcome: null,
    evaluations: [],
    attempts: [],
  };
}
