import { viewOf } from "#metrics/kinds/view-table";
import { openStatusScope } from "#metrics/monitor-scopes";
import type { MetricStore } from "#metrics/metric-store";
import type { RunnableMonitor } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { targetName } from "#metrics/target-name";

/**
 * A check in the names of the OpenStatus agent: a failed one is an error and nothing else. Its target has no query here,
 * which may hold a secret. The latency is the one that was reported, so PICKET_LATENCY decides where it ends.
 */
export function noteOpenStatus(
  store: MetricStore,
  result: Result,
  outcome: Outcome,
  { id, target }: RunnableMonitor,
  location: string,
): void {
  const scope = store.scope(openStatusScope(id), {
    "openstatus.probes": location,
    "openstatus.target": targetName(target),
  });
  const view = viewOf(outcome.kind);
  view.openStatus(scope, outcome, result);
  const name = result.status === "error" ? "openstatus.error" : "openstatus.status";
  scope.add(name, 1, view.answered(outcome));
}
