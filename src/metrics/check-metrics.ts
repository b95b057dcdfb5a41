import { viewOf } from "#metrics/kinds/view-table";
import type { MetricsView } from "#check/agent-words";
import { noteBlackbox } from "#metrics/blackbox-view";
import { noteCollector } from "#metrics/collector-view";
import { noteOpenStatus } from "#metrics/openstatus-view";
import { attributesOf } from "#metrics/monitor-attributes";
import type { MetricStore } from "#metrics/metric-store";
import type { Scope } from "#metrics/scope";
import type { Monitor } from "#check/monitor";
import { type Outcome, phaseNames, theirs } from "#check/outcome";
import type { Result } from "#check/result";
import { resultStatuses } from "#check/verdict";

/** Takes a decided check into the series of its monitor; `location` is where it was made, empty while that is unknown. */
export function noteCheck(
  store: MetricStore,
  result: Result,
  monitor: Monitor,
  views: readonly MetricsView[],
  location: string = "",
): void {
  const scope = store.scope(monitor.id, attributesOf(monitor));
  noteStatus(scope, result);
  noteFailures(scope, result);
  if (result.outcome !== null) noteOutcome(scope, result, result.outcome);
  if (monitor.rejection !== null || result.outcome === null) return;
  if (views.includes("collector")) noteCollector(store, result, result.outcome, monitor);
  if (views.includes("blackbox")) noteBlackbox(store, result, result.outcome, monitor);
  if (views.includes("openstatus"))
    noteOpenStatus(store, result, result.outcome, monitor, location);
}

/* Attributes that are the same for each check: a series is found without comparing what they say. */
const ofStatus = resultStatuses.map((one) => [one, { "picket.check.status": one }] as const);
const ofPhase = phaseNames.map((phase) => [phase, { "picket.check.phase": phase }] as const);

function noteStatus(scope: Scope, { status }: Result): void {
  for (const [one, attributes] of ofStatus)
    scope.set("picket.check.status", one === status ? 1 : 0, attributes);
}

function noteFailures(scope: Scope, { attempts, failure }: Result): void {
  scope.add("picket.check.attempts", attempts.length);
  const failures = attempts.length > 0 ? attempts.map((one) => one.failure) : [failure];
  for (const failed of failures)
    if (failed !== null)
      scope.add("picket.check.failures", 1, {
        "error.type": failed.code,
        "picket.failure.phase": failed.phase,
      });
}

function noteOutcome(scope: Scope, { status, failure }: Result, outcome: Outcome): void {
  const response = outcome.kind === "http" ? outcome.response : null;
  scope.set("picket.check.last_run", outcome.startedAt / 1e3);
  scope.record("picket.check.duration", theirs(outcome) / 1e9, {
    "picket.check.status": status,
    ...(failure === null ? {} : { "error.type": failure.code }),
    ...(response === null
      ? {}
      : {
          "http.response.status_code": response.statusCode,
          "network.protocol.version": response.version,
        }),
  });
  for (const [phase, attributes] of ofPhase) {
    const took = outcome.phases[phase];
    if (took !== null) scope.record("picket.check.phase.duration", took / 1e9, attributes);
  }
  viewOf(outcome.kind).own(scope, outcome);
  const expiry = outcome.tls?.certificate?.validTo;
  if (expiry !== undefined) scope.set("picket.check.certificate.expiry", expiry / 1e3);
}
