import { kinds } from "#check/monitor";

/** One row of the table of instruments. */
export interface Instrument {
  /**
   * A counter only grows; an up-down counter is a sum that may shrink, as a number of things; a gauge is a figure that
   * cannot be summed; a histogram counts what it is given into buckets.
   */
  readonly kind: "counter" | "up_down_counter" | "gauge" | "histogram";
  /** UCUM, as OpenTelemetry writes it: `s`, `By`, `1`, or what is counted in braces. */
  readonly unit: string;
  readonly does: string;
  /** In addition to those of the scope that it belongs to. */
  readonly attributes: readonly AttributeName[];
  /** The numbers are whole. */
  readonly whole?: true;
  /** Read from a figure that is kept elsewhere, rather than counted here. */
  readonly observed?: true;
  /** Has the monitor's id alone, not its target: where a check makes many series, target names would be most of them. */
  readonly brief?: true;
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly bounds?: readonly number[];
}

/** Every attribute that a data point may have, and what it holds. */
export const attributes = {
  "picket.monitor.id": "the monitor's id",
  "picket.monitor.name":
    "what people call the monitor, up to 256 characters; absent if the service gives no name",
  get "picket.check.kind"(): string {
    return kinds.join(", ").replace(/, (?=[^,]*$)/, " or ");
  },
  "picket.check.status": "success, degraded or error",
  "picket.check.phase": "dns, connect, proxy, tls, write, wait or receive",
  "picket.failure.phase":
    "where in the check it failed, a phase or config, policy, decode, assertion or agent",
  "picket.slot.missed.reason": "late, clock, overlap, busy, drained or vantage",
  "picket.path.trace.outcome":
    "whole (the target answered, or all hops in front of it did as they are known), partial, or unsent (no packet could leave)",
  "picket.path.change.kind": "replaced, lost, gained, returned, ended or circle",
  "picket.report.outcome": "accepted, duplicate, rejected or given_up",
  "picket.spool.given_up.reason":
    "age, room, unreadable or service, see reports.given_up in docs/agent-endpoint.md",
  "picket.service.link.state": "unknown, up, down or refused",
  "picket.export.outcome": "success or failure",
  "server.address":
    "the host of the target as the monitor writes it; of a DNS check, its server if it names one",
  "server.port": "the port of the target",
  "url.full": "the URL of an HTTP monitor, without user-info, query and fragment",
  "rpc.service": "the service whose health a monitor asks for, empty for the whole server",
  "dns.question.name": "the name that a DNS monitor asks for",
  "error.type": "the failure's code, absent if nothing failed",
  "http.response.status_code": "the status code of the final response",
  "network.protocol.version": "the HTTP version of the final response: 1.0, 1.1 or 2",
  "cpu.mode": "user or system",
  "http.url": "the URL of an HTTP monitor, without user-info, query and fragment",
  "http.status_code": "the status code of the final response, 0 if there was none",
  "http.status_class": "1xx to 5xx",
  "http.method": "the method of the request",
  "network.transport": "tcp",
  "error.message": "the failure's code: texts of errors have no bound",
  "tcpcheck.endpoint": "host:port",
  "error.code":
    "connection_refused, connection_timeout, invalid_endpoint, network_unreachable or unknown_error",
  "dns.domain": "the name that is asked for",
  "dns.record.type": "the types that are asked for, joined by commas",
  "dns.server": "the server that the monitor names, else default",
  "dns.rcode": "the response code as a number, absent if no answer came",
  instance: "the target, without user-info, query and fragment",
  "openstatus.probes": "the location's name",
  "openstatus.target":
    "the URL without user-info, query and fragment, host:port, the host, or the name that is asked for",
  phase:
    "resolve, connect, tls, processing, transfer, request, setup, rtt or check, as blackbox_exporter has them",
  version: "the TLS version",
  serving_status: "UNKNOWN, SERVING, NOT_SERVING or SERVICE_UNKNOWN",
  provider: "who takes a notification, e.g. slack; absent for a channel that was deleted",
  outcome:
    "sent; accepted, if the provider reports the delivery later; retried; or the reason why it was dropped, see docs/alerting.md",
} as const;

export type AttributeName = keyof typeof attributes;
