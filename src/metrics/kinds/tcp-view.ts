import { type Instruments, type KindView, openStatusGauge } from "#metrics/kinds/kind-view";

type TcpOpenStatusName = "openstatus.tcp.request.duration" | "openstatus.tcp.tcp.duration";

export const tcpOpenStatus: Instruments<TcpOpenStatusName> = {
  "openstatus.tcp.request.duration": openStatusGauge("Latency of the TCP check, as reported"),
  "openstatus.tcp.tcp.duration": openStatusGauge("The same"),
};

export const tcpView: KindView<"tcp", TcpOpenStatusName> = {
  attributes: () => ({}),
  own: () => {},
  blackbox: () => {},
  openStatus: (sink, _outcome, { status, latency }) => {
    if (status === "error") return;
    sink.set("openstatus.tcp.request.duration", latency);
    sink.set("openstatus.tcp.tcp.duration", latency);
  },
  answered: () => undefined,
};
