import { openStatusScope } from "#metrics/monitor-scopes";
import type { InstrumentName } from "#metrics/instruments";
import type { MetricStore } from "#metrics/metric-store";
import type { Scope } from "#metrics/scope";
import type { RunnableMonitor } from "#check/monitor";
import type { HttpOutcome, Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { targetName } from "#metrics/target-name";
import type { Nanos } from "#base/units";

/**
 * A check in the names of the OpenStatus agent: a failed one is an error and nothing else. Its target has no query here,
 * which may hold a secret. The latency is the one that was reported, so PICKET_LATENCY decides where it ends.
 */
export function noteOpenStatus(
  store: MetricStore,
  { status, latency }: Result,
  outcome: Outcome,
  { id, target }: RunnableMonitor,
  location: string,
): void {
  const scope = store.scope(openStatusScope(id), {
    "openstatus.probes": location,
    "openstatus.target": targetName(target),
  });
  const answered =
    outcome.kind === "http"
      ? { "http.response.status_code": outcome.response?.statusCode ?? 0 }
      : undefined;
  if (status === "error") return scope.add("openstatus.error", 1, answered);
  scope.add("openstatus.status", 1, answered);
  switch (outcome.kind) {
    case "http":
      return noteHttp(scope, latency, outcome, answered);
    case "tcp":
      scope.set("openstatus.tcp.request.duration", latency);
      return scope.set("openstatus.tcp.tcp.duration", latency);
    case "dns":
      return scope.set("openstatus.dns.request.duration", latency);
  }
}

const milliseconds = (...parts: readonly (Nanos | null)[]): number =>
  parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / 1e6;

function noteHttp(
  scope: Scope,
  latency: number,
  { phases }: HttpOutcome,
  answered: Parameters<Scope["set"]>[2],
): void {
  const { dns, connect, proxy, tls, write, wait, receive } = phases;
  const figures: readonly (readonly [InstrumentName, number])[] = [
    ["openstatus.http.request.duration", latency],
    ["openstatus.http.dns.duration", milliseconds(dns)],
    ["openstatus.http.connection.duration", milliseconds(connect, proxy)],
    ["openstatus.http.tls.duration", milliseconds(tls)],
    ["openstatus.http.ttfb.duration", milliseconds(write, wait)],
    ["openstatus.http.transfer.duration", milliseconds(receive)],
  ];
  for (const [name, value] of figures) {
    // Another status code is another series: the last one's figure holds no more.
    scope.drop(name);
    scope.set(name, value, answered);
  }
}
