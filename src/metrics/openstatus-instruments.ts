import type { AttributeName, Instrument } from "#metrics/instrument";

export type OpenStatusInstrumentName =
  | "openstatus.status"
  | "openstatus.error"
  | "openstatus.http.request.duration"
  | "openstatus.http.dns.duration"
  | "openstatus.http.connection.duration"
  | "openstatus.http.tls.duration"
  | "openstatus.http.ttfb.duration"
  | "openstatus.http.transfer.duration"
  | "openstatus.tcp.request.duration"
  | "openstatus.tcp.tcp.duration"
  | "openstatus.dns.request.duration"
  | "openstatus.icmp.request.duration"
  | "openstatus.icmp.packet.loss"
  | "openstatus.grpc.request.duration"
  | "openstatus.grpc.dns.duration"
  | "openstatus.grpc.connection.duration"
  | "openstatus.grpc.tls.duration"
  | "openstatus.grpc.ttfb.duration"
  | "openstatus.grpc.serving_status";

const where: readonly AttributeName[] = ["openstatus.probes", "openstatus.target"];
const answered: readonly AttributeName[] = [...where, "http.response.status_code"];

const gauge = (does: string, attributes: readonly AttributeName[]): Instrument => ({
  kind: "gauge",
  unit: "ms",
  does,
  attributes,
});
const counter = (does: string): Instrument => ({
  kind: "counter",
  unit: "",
  does,
  attributes: answered,
  whole: true,
});

/** As the OpenStatus agent names them, for dashboards that exist. */
export const openStatusInstruments: Readonly<Record<OpenStatusInstrumentName, Instrument>> = {
  "openstatus.status": counter("Checks that passed, also slowly"),
  "openstatus.error": counter("Checks that failed"),
  "openstatus.http.request.duration": gauge("Latency of the HTTP check, as reported", answered),
  "openstatus.http.dns.duration": gauge("Resolving the name, 0 if none was resolved", answered),
  "openstatus.http.connection.duration": gauge("Connecting, with the proxy's tunnel", answered),
  "openstatus.http.tls.duration": gauge("The TLS handshake, 0 if there was none", answered),
  "openstatus.http.ttfb.duration": gauge("From the open connection to the first byte", answered),
  "openstatus.http.transfer.duration": gauge("The rest of the response", answered),
  "openstatus.tcp.request.duration": gauge("Latency of the TCP check, as reported", where),
  "openstatus.tcp.tcp.duration": gauge("The same", where),
  "openstatus.dns.request.duration": gauge("Latency of the DNS check, as reported", where),
  "openstatus.icmp.request.duration": gauge("Latency of the ICMP check, as reported", where),
  "openstatus.icmp.packet.loss": {
    ...gauge("Echoes of the ICMP check without a reply", where),
    unit: "%",
  },
  "openstatus.grpc.request.duration": gauge("Latency of the gRPC check, as reported", where),
  "openstatus.grpc.dns.duration": gauge("Resolving the name, 0 if none was resolved", where),
  "openstatus.grpc.connection.duration": gauge("Connecting, with the proxy's tunnel", where),
  "openstatus.grpc.tls.duration": gauge("The TLS handshake, 0 if there was none", where),
  "openstatus.grpc.ttfb.duration": gauge("From the open connection to the first byte", where),
  "openstatus.grpc.serving_status": {
    ...gauge("1 if the server said SERVING, 0 if it said anything else", where),
    unit: "",
  },
};
