import { collectorScope } from "#metrics/monitor-scopes";
import type { Attributes } from "#metrics/series";
import type { MetricStore } from "#metrics/metric-store";
import type { Scope } from "#metrics/scope";
import type { DnsTarget, HttpTarget, RunnableMonitor } from "#check/monitor";
import type { DnsOutcome, HttpOutcome, Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { targetName } from "#metrics/target-name";
import { showHostPort } from "#network/host-port";
import type { Nanos } from "#base/units";

/**
 * A check in the names of the Collector's receivers. Those put the text of an error into an attribute; here it is the
 * failure's code, or each new text would be a series forever. Resolved addresses are left out for the same reason.
 */
export function noteCollector(
  store: MetricStore,
  result: Result,
  outcome: Outcome,
  { id, target }: RunnableMonitor,
): void {
  const key = collectorScope(id);
  const name = targetName(target);
  // Of other kinds its receivers have no names that could be confirmed.
  if (target.kind === "http" && outcome.kind === "http")
    noteHttp(store.scope(key, { "http.url": name }), result, outcome, target);
  if (target.kind === "tcp")
    noteTcp(store.scope(key, { "tcpcheck.endpoint": name }), result, outcome);
  if (target.kind === "dns" && outcome.kind === "dns")
    noteDns(store.scope(key, dnsAttributes(target)), result, outcome);
}

const milliseconds = (took: Nanos): number => Math.round(took / 1e6);

function noteHttp(
  scope: Scope,
  { failure }: Result,
  { response, total, phases, tls, startedAt }: HttpOutcome,
  { method }: HttpTarget,
): void {
  // What was said of the last response holds no more.
  scope.drop("httpcheck.status");
  scope.drop("httpcheck.error");
  const code = response?.statusCode ?? 0;
  for (const group of [1, 2, 3, 4, 5])
    scope.set("httpcheck.status", Math.floor(code / 100) === group ? 1 : 0, {
      "http.status_code": code,
      "http.method": method,
      "http.status_class": `${group}xx`,
    });
  if (response === null) scope.set("httpcheck.error", 1, { "error.message": failure?.code ?? "" });
  scope.set("httpcheck.duration", milliseconds(total));
  const of = { "network.transport": "tcp" };
  if (phases.dns !== null) scope.set("httpcheck.dns.lookup.duration", milliseconds(phases.dns));
  if (phases.connect !== null)
    scope.set("httpcheck.client.connection.duration", milliseconds(phases.connect), of);
  if (phases.tls !== null) scope.set("httpcheck.tls.handshake.duration", milliseconds(phases.tls));
  if (phases.write !== null)
    scope.set("httpcheck.client.request.duration", milliseconds(phases.write));
  if (phases.receive !== null)
    scope.set("httpcheck.response.duration", milliseconds(phases.receive));
  if (response !== null) scope.set("httpcheck.response.size", response.bodyBytes);
  const ends = tls?.certificate?.validTo;
  if (ends !== undefined)
    scope.set("httpcheck.tls.cert_remaining", Math.floor((ends - startedAt) / 1e3));
}

function noteTcp(scope: Scope, { failure }: Result, { total }: Outcome): void {
  scope.set("tcpcheck.status", failure === null ? 1 : 0);
  scope.set("tcpcheck.duration", milliseconds(total));
  if (failure !== null)
    scope.add("tcpcheck.error", 1, { "error.code": tcpErrorCode(failure.code) });
}

/** The receiver's own short list. */
function tcpErrorCode(code: string): string {
  switch (code) {
    case "connection_refused":
      return "connection_refused";
    case "connect_timeout":
      return "connection_timeout";
    case "network_unreachable":
    case "host_unreachable":
      return "network_unreachable";
    case "dns_nxdomain":
    case "dns_nodata":
    case "address_unusable":
      return "invalid_endpoint";
    default:
      return "unknown_error";
  }
}

const dnsAttributes = ({ name, types, server }: DnsTarget): Attributes => ({
  "dns.domain": name,
  "dns.record.type": types.join(","),
  "dns.server": server === null ? "default" : showHostPort(server.host, server.port),
});

function noteDns(scope: Scope, { failure }: Result, { rcode, total }: DnsOutcome): void {
  scope.drop("dnscheck.status");
  scope.drop("dnscheck.error");
  const number = rcode === null ? undefined : rcodes.get(rcode);
  const answered = number === undefined ? {} : { "dns.rcode": number };
  scope.set("dnscheck.status", rcode === "NOERROR" ? 1 : 0, answered);
  scope.set("dnscheck.duration", milliseconds(total));
  if (failure !== null) scope.set("dnscheck.error", 1, { "error.message": failure.code });
}

/** RFC 1035 §4.1.1, RFC 2136 §2.2. */
const rcodes: ReadonlyMap<string, number> = new Map(
  [
    "NOERROR",
    "FORMERR",
    "SERVFAIL",
    "NXDOMAIN",
    "NOTIMP",
    "REFUSED",
    "YXDOMAIN",
    "YXRRSET",
    "NXRRSET",
    "NOTAUTH",
    "NOTZONE",
  ].map((name, number) => [name, number]),
);
