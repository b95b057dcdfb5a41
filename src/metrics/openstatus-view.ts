import { openStatusScope } from "#metrics/monitor-scopes";
import type { InstrumentName } from "#metrics/instruments";
import type { MetricStore } from "#metrics/metric-store";
import type { Scope } from "#metrics/scope";
import { lossOf } from "#check/kinds/icmp/icmp-outcome";
import type { RunnableMonitor } from "#check/monitor";
import type { HttpOutcome, Outcome, OutcomeOf } from "#check/outcome";
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
  // What was answered has its figures, also if the answer is that the server does not serve.
  if (outcome.kind === "grpc" && outcome.grpcCode !== null) noteGrpc(scope, latency, outcome);
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
    case "icmp":
      scope.set("openstatus.icmp.packet.loss", lossOf(outcome));
      return scope.set("openstatus.icmp.request.duration", latency);
    case "grpc":
      return;
  }
}

function noteGrpc(
  scope: Scope,
  latency: number,
  { phases, servingStatus }: OutcomeOf<"grpc">,
): void {
  const { dns, connect, proxy, tls, write, wait } = phases;
  scope.set("openstatus.grpc.request.duration", latency);
  scope.set("openstatus.grpc.dns.duration", milliseconds(dns));
  scope.set("openstatus.grpc.connection.duration", milliseconds(connect, proxy));
  scope.set("openstatus.grpc.tls.duration", milliseconds(tls));
  scope.set("openstatus.grpc.ttfb.duration", milliseconds(write, wait));
  scope.set("openstatus.grpc.serving_status", servingStatus === "SERVING" ? 1 : 0);
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
