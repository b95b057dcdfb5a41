import { viewOf } from "#metrics/kinds/view-table";
import { blackboxScope } from "#metrics/monitor-scopes";
import type { MetricStore } from "#metrics/metric-store";
import type { RunnableMonitor } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { targetName } from "#metrics/target-name";

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
  scope.set("probe_dns_lookup_time_seconds", (phases.dns ?? 0) / 1e9);
  const connected = addresses.find(({ ended }) => ended === "connected");
  if (connected !== undefined)
    scope.set("probe_ip_protocol", connected.address.includes(":") ? 6 : 4);
  const expiry = tls?.certificate?.validTo;
  if (expiry !== undefined) scope.set("probe_ssl_earliest_cert_expiry", expiry / 1e3);
  const protocol = tls?.protocol ?? null;
  if (protocol !== null)
    scope.set("probe_tls_version_info", 1, { version: protocol.replace("TLSv", "TLS ") });
  viewOf(outcome.kind).blackbox(scope, outcome, result);
}
