import type { OutcomeOf } from "#check/outcome";
import type { Result } from "#check/result";
import {
  blackboxGauge,
  type FigureSink,
  type Instruments,
  type KindView,
  milliseconds,
  openStatusGauge,
  seconds,
} from "#metrics/kinds/kind-view";

type GrpcBlackboxName =
  | "probe_grpc_duration_seconds"
  | "probe_grpc_healthcheck_response"
  | "probe_grpc_ssl"
  | "probe_grpc_status_code";

type GrpcOpenStatusName =
  | "openstatus.grpc.request.duration"
  | "openstatus.grpc.dns.duration"
  | "openstatus.grpc.connection.duration"
  | "openstatus.grpc.tls.duration"
  | "openstatus.grpc.ttfb.duration"
  | "openstatus.grpc.serving_status";

export const grpcBlackbox: Instruments<GrpcBlackboxName> = {
  probe_grpc_duration_seconds: blackboxGauge("s", "Duration of the gRPC request by phase", "phase"),
  probe_grpc_healthcheck_response: blackboxGauge(
    "",
    "1 for the serving status that came",
    "serving_status",
  ),
  probe_grpc_ssl: blackboxGauge("", "1 if the call was made over TLS, otherwise 0"),
  probe_grpc_status_code: blackboxGauge("", "Status code of the call, 0 if none came"),
};

export const grpcOpenStatus: Instruments<GrpcOpenStatusName> = {
  "openstatus.grpc.request.duration": openStatusGauge("Latency of the gRPC check, as reported"),
  "openstatus.grpc.dns.duration": openStatusGauge("Resolving the name, 0 if none was resolved"),
  "openstatus.grpc.connection.duration": openStatusGauge("Connecting, with the proxy's tunnel"),
  "openstatus.grpc.tls.duration": openStatusGauge("The TLS handshake, 0 if there was none"),
  "openstatus.grpc.ttfb.duration": openStatusGauge("From the open connection to the first byte"),
  "openstatus.grpc.serving_status": {
    ...openStatusGauge("1 if the server said SERVING, 0 if it said anything else"),
    unit: "",
  },
};

export const grpcView: KindView<"grpc", GrpcBlackboxName | GrpcOpenStatusName> = {
  attributes: ({ service }) => ({ "rpc.service": service }),
  own: () => {},
  blackbox,
  openStatus,
  answered: () => undefined,
};

function blackbox(
  sink: FigureSink<GrpcBlackboxName>,
  { phases, tls, servingStatus, grpcCode }: OutcomeOf<"grpc">,
): void {
  const { dns, connect, proxy, write, wait, receive } = phases;
  const check = seconds(phases.tls) + seconds(write) + seconds(wait) + seconds(receive);
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect) + seconds(proxy),
    check,
  };
  for (const [phase, took] of Object.entries(durations))
    sink.set("probe_grpc_duration_seconds", took, { phase });
  for (const one of ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"])
    sink.set("probe_grpc_healthcheck_response", one === servingStatus ? 1 : 0, {
      serving_status: one,
    });
  sink.set("probe_grpc_ssl", tls === null ? 0 : 1);
  sink.set("probe_grpc_status_code", grpcCode ?? 0);
}

/** What was answered has its figures, also if the answer is that the server does not serve. */
function openStatus(
  sink: FigureSink<GrpcOpenStatusName>,
  { phases, servingStatus, grpcCode }: OutcomeOf<"grpc">,
  { latency }: Result,
): void {
  if (grpcCode === null) return;
  const { dns, connect, proxy, tls, write, wait } = phases;
  sink.set("openstatus.grpc.request.duration", latency);
  sink.set("openstatus.grpc.dns.duration", milliseconds(dns));
  sink.set("openstatus.grpc.connection.duration", milliseconds(connect, proxy));
  sink.set("openstatus.grpc.tls.duration", milliseconds(tls));
  sink.set("openstatus.grpc.ttfb.duration", milliseconds(write, wait));
  sink.set("openstatus.grpc.serving_status", servingStatus === "SERVING" ? 1 : 0);
}
