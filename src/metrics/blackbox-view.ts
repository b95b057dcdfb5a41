import { firstValue } from "#network/http/headers";
import { blackboxScope } from "#metrics/monitor-scopes";
import type { MetricStore } from "#metrics/metric-store";
import type { Scope } from "#metrics/scope";
import { meanRoundTrip } from "#check/kinds/icmp/icmp-outcome";
import type { RunnableMonitor } from "#check/monitor";
import type { DnsOutcome, HttpOutcome, Outcome, OutcomeOf } from "#check/outcome";
import type { Result } from "#check/result";
import { targetName } from "#metrics/target-name";
import type { Nanos } from "#base/units";

/**
 * A check in the names of blackbox_exporter. Its gauges live for one probe only, so what this check does not say is
 * forgotten; `instance` is the target, as scrape configurations for blackbox_exporter write it.
 */
export function noteBlackbox(
  store: MetricStore,
  result: Result,
  outcome: Outcome,
  { id, target }: RunnableMonitor,
): void {
  const key = blackboxScope(id);
  store.forget(key);
  const scope = store.scope(key, { instance: targetName(target) });
  const { phases, total, tls, addresses } = outcome;
  scope.set("probe_success", result.status === "error" ? 0 : 1);
  scope.set("probe_duration_seconds", total / 1e9);
  scope.set("probe_dns_lookup_time_seconds", seconds(phases.dns));
  const connected = addresses.find(({ ended }) => ended === "connected");
  if (connected !== undefined)
    scope.set("probe_ip_protocol", connected.address.includes(":") ? 6 : 4);
  const expiry = tls?.certificate?.validTo;
  if (expiry !== undefined) scope.set("probe_ssl_earliest_cert_expiry", expiry / 1e3);
  const protocol = tls?.protocol ?? null;
  if (protocol !== null)
    scope.set("probe_tls_version_info", 1, { version: protocol.replace("TLSv", "TLS ") });
  switch (outcome.kind) {
    case "http":
      return noteHttp(scope, result, outcome);
    case "tcp":
      return;
    case "dns":
      return noteDns(scope, outcome);
    case "icmp":
      return noteIcmp(scope, outcome);
    case "grpc":
      return noteGrpc(scope, outcome);
  }
}

/** There `setup` is the making of the socket, which is our own work and in no figure here. */
function noteIcmp(scope: Scope, outcome: OutcomeOf<"icmp">): void {
  const durations = {
    resolve: seconds(outcome.phases.dns),
    setup: 0,
    rtt: seconds(meanRoundTrip(outcome)),
  };
  for (const [phase, took] of Object.entries(durations))
    scope.set("probe_icmp_duration_seconds", took, { phase });
  if (outcome.hopLimit !== null) scope.set("probe_icmp_reply_hop_limit", outcome.hopLimit);
}

function noteGrpc(scope: Scope, { phases, tls, servingStatus, grpcCode }: OutcomeOf<"grpc">): void {
  const { dns, connect, proxy, write, wait, receive } = phases;
  const check = seconds(phases.tls) + seconds(write) + seconds(wait) + seconds(receive);
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect) + seconds(proxy),
    check,
  };
  for (const [phase, took] of Object.entries(durations))
    scope.set("probe_grpc_duration_seconds", took, { phase });
  for (const one of ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"])
    scope.set("probe_grpc_healthcheck_response", one === servingStatus ? 1 : 0, {
      serving_status: one,
    });
  scope.set("probe_grpc_ssl", tls === null ? 0 : 1);
  scope.set("probe_grpc_status_code", grpcCode ?? 0);
}

const seconds = (took: Nanos | null): number => (took ?? 0) / 1e9;

function noteHttp(
  scope: Scope,
  { failure }: Result,
  { phases, response, hops }: HttpOutcome,
): void {
  const { dns, connect, proxy, tls, write, wait, receive } = phases;
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect) + seconds(proxy),
    tls: seconds(tls),
    // There it lasts from the connection that is ready to the first byte.
    processing: seconds(write) + seconds(wait),
    transfer: seconds(receive),
  };
  for (const [phase, took] of Object.entries(durations))
    scope.set("probe_http_duration_seconds", took, { phase });
  scope.set("probe_http_status_code", response?.statusCode ?? 0);
  scope.set("probe_http_version", Number(response?.version ?? 0));
  scope.set("probe_http_redirects", Math.max(0, hops.length - 1));
  scope.set("probe_http_ssl", hops.at(-1)?.url.startsWith("https:") === true ? 1 : 0);
  scope.set("probe_failed_due_to_regex", failure?.code === "assertion_failed" ? 1 : 0);
  if (response === null) return;
  const length = firstValue(response.headers, "content-length");
  scope.set("probe_http_content_length", /^\d{1,15}$/.test(length ?? "") ? Number(length) : -1);
  scope.set("probe_http_uncompressed_body_length", response.bodyBytes);
}

function noteDns(scope: Scope, { phases, rcode, records }: DnsOutcome): void {
  const { dns, connect, write, wait } = phases;
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect),
    request: seconds(write) + seconds(wait),
  };
  for (const [phase, took] of Object.entries(durations))
    scope.set("probe_dns_duration_seconds", took, { phase });
  scope.set("probe_dns_query_succeeded", rcode === null ? 0 : 1);
  scope.set("probe_dns_answer_rrs", records.length);
}
