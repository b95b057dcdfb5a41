import type { AttributeName, Instrument } from "#metrics/instrument";

export type BlackboxInstrumentName =
  | "probe_success"
  | "probe_duration_seconds"
  | "probe_dns_lookup_time_seconds"
  | "probe_failed_due_to_regex"
  | "probe_ip_protocol"
  | "probe_http_duration_seconds"
  | "probe_http_status_code"
  | "probe_http_version"
  | "probe_http_redirects"
  | "probe_http_ssl"
  | "probe_http_content_length"
  | "probe_http_uncompressed_body_length"
  | "probe_ssl_earliest_cert_expiry"
  | "probe_tls_version_info"
  | "probe_dns_duration_seconds"
  | "probe_dns_query_succeeded"
  | "probe_dns_answer_rrs"
  | "probe_icmp_duration_seconds"
  | "probe_icmp_reply_hop_limit"
  | "probe_grpc_duration_seconds"
  | "probe_grpc_healthcheck_response"
  | "probe_grpc_ssl"
  | "probe_grpc_status_code";

const gauge = (unit: string, does: string, ...more: readonly AttributeName[]): Instrument => ({
  kind: "gauge",
  unit,
  does,
  attributes: ["instance", ...more],
});

/** As blackbox_exporter names them, for dashboards that exist; in the Prometheus text alone. */
export const blackboxInstruments: Readonly<Record<BlackboxInstrumentName, Instrument>> = {
  probe_success: gauge("", "1 if the check did not fail, otherwise 0"),
  probe_duration_seconds: gauge("s", "How long the check took"),
  probe_dns_lookup_time_seconds: gauge("s", "How long the resolution of the target's name took"),
  probe_failed_due_to_regex: gauge("", "1 if an assertion failed, otherwise 0"),
  probe_ip_protocol: gauge("", "4 or 6, whichever was connected by"),
  probe_http_duration_seconds: gauge("s", "Duration of the HTTP request by phase", "phase"),
  probe_http_status_code: gauge("", "Status code of the final response, 0 if there was none"),
  probe_http_version: gauge("", "HTTP version of the final response"),
  probe_http_redirects: gauge("", "Redirects that were followed"),
  probe_http_ssl: gauge("", "1 if the final request was sent over TLS, otherwise 0"),
  probe_http_content_length: gauge("", "Content-Length of the final response, -1 without"),
  probe_http_uncompressed_body_length: gauge("", "Bytes of the decoded body"),
  probe_ssl_earliest_cert_expiry: gauge("", "When the certificate ends, as Unix time"),
  probe_tls_version_info: gauge("", "1 for the TLS version of the connection", "version"),
  probe_dns_duration_seconds: gauge("s", "Duration of the DNS request by phase", "phase"),
  probe_dns_query_succeeded: gauge("", "1 if the query was answered, otherwise 0"),
  probe_dns_answer_rrs: gauge("", "Records in the answer"),
  probe_icmp_duration_seconds: gauge("s", "Duration of the ICMP request by phase", "phase"),
  probe_icmp_reply_hop_limit: gauge("", "Hop limit of the last reply, TTL with IPv4"),
  probe_grpc_duration_seconds: gauge("s", "Duration of the gRPC request by phase", "phase"),
  probe_grpc_healthcheck_response: gauge(
    "",
    "1 for the serving status that came",
    "serving_status",
  ),
  probe_grpc_ssl: gauge("", "1 if the call was made over TLS, otherwise 0"),
  probe_grpc_status_code: gauge("", "Status code of the call, 0 if none came"),
};
