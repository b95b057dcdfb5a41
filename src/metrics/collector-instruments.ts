import type { AttributeName, Instrument } from "#metrics/instrument";

export type CollectorInstrumentName =
  | "httpcheck.status"
  | "httpcheck.duration"
  | "httpcheck.error"
  | "httpcheck.dns.lookup.duration"
  | "httpcheck.client.connection.duration"
  | "httpcheck.tls.handshake.duration"
  | "httpcheck.client.request.duration"
  | "httpcheck.response.duration"
  | "httpcheck.response.size"
  | "httpcheck.tls.cert_remaining"
  | "tcpcheck.status"
  | "tcpcheck.duration"
  | "tcpcheck.error"
  | "dnscheck.status"
  | "dnscheck.duration"
  | "dnscheck.error";

const milliseconds = (does: string, ...attributes: readonly AttributeName[]): Instrument => ({
  kind: "gauge",
  unit: "ms",
  does,
  attributes,
  whole: true,
});

const sum = (unit: string, does: string, ...attributes: readonly AttributeName[]): Instrument => ({
  kind: "up_down_counter",
  unit,
  does,
  attributes,
  whole: true,
});

/** As the OpenTelemetry Collector's receivers http_check, tcp_check and dns_check name them (their metadata.yaml). */
export const collectorInstruments: Readonly<Record<CollectorInstrumentName, Instrument>> = {
  "httpcheck.status": sum(
    "1",
    "1 for the class of the final response's status code, 0 for the other classes",
    "http.url",
    "http.status_code",
    "http.method",
    "http.status_class",
  ),
  "httpcheck.duration": milliseconds("Duration of the HTTP check", "http.url"),
  "httpcheck.error": sum("{error}", "1 if no response came", "http.url", "error.message"),
  "httpcheck.dns.lookup.duration": milliseconds("Resolution of the name", "http.url"),
  "httpcheck.client.connection.duration": milliseconds(
    "Establishing the TCP connection",
    "http.url",
    "network.transport",
  ),
  "httpcheck.tls.handshake.duration": milliseconds("TLS handshake", "http.url"),
  "httpcheck.client.request.duration": milliseconds("Sending the request", "http.url"),
  "httpcheck.response.duration": milliseconds("Receiving the response", "http.url"),
  "httpcheck.response.size": {
    ...milliseconds("Size of the response's body", "http.url"),
    unit: "By",
  },
  "httpcheck.tls.cert_remaining": {
    ...milliseconds("Time until the certificate ends, below zero once it has", "http.url"),
    unit: "s",
  },
  "tcpcheck.status": {
    ...milliseconds("1 if the connection was established, otherwise 0", "tcpcheck.endpoint"),
    unit: "1",
  },
  "tcpcheck.duration": milliseconds("Duration of the TCP check", "tcpcheck.endpoint"),
  "tcpcheck.error": {
    ...sum("{error}", "Errors of TCP checks", "tcpcheck.endpoint", "error.code"),
    kind: "counter",
  },
  "dnscheck.status": sum(
    "1",
    "1 if the query was answered with NOERROR, otherwise 0",
    "dns.domain",
    "dns.record.type",
    "dns.server",
    "dns.rcode",
  ),
  "dnscheck.duration": milliseconds(
    "Round trips of the DNS check",
    "dns.domain",
    "dns.record.type",
    "dns.server",
  ),
  "dnscheck.error": sum(
    "{error}",
    "1 if the check failed",
    "dns.domain",
    "dns.record.type",
    "dns.server",
    "error.message",
  ),
};
