import { meanRoundTrip, lossOf, jitterOf } from "#check/echoes";
import type { OutcomeOf } from "#check/outcome";
import {
  blackboxGauge,
  type FigureSink,
  type Instruments,
  type KindView,
  openStatusGauge,
  seconds,
} from "#metrics/kinds/kind-view";

type OwnName = "picket.check.echo.loss" | "picket.check.echo.jitter";

type IcmpBlackboxName = "probe_icmp_duration_seconds" | "probe_icmp_reply_hop_limit";

type IcmpOpenStatusName = "openstatus.icmp.request.duration" | "openstatus.icmp.packet.loss";

export const icmpBlackbox: Instruments<IcmpBlackboxName> = {
  probe_icmp_duration_seconds: blackboxGauge("s", "Duration of the ICMP request by phase", "phase"),
  probe_icmp_reply_hop_limit: blackboxGauge("", "Hop limit of the last reply, TTL with IPv4"),
};

export const icmpOpenStatus: Instruments<IcmpOpenStatusName> = {
  "openstatus.icmp.request.duration": openStatusGauge("Latency of the ICMP check, as reported"),
  "openstatus.icmp.packet.loss": {
    ...openStatusGauge("Echoes of the ICMP check without a reply"),
    unit: "%",
  },
};

export const icmpView: KindView<"icmp", OwnName | IcmpBlackboxName | IcmpOpenStatusName> = {
  attributes: () => ({}),
  own: (sink, outcome) => {
    sink.set("picket.check.echo.loss", lossOf(outcome) / 100);
    const jitter = jitterOf(outcome);
    if (jitter === null) sink.drop("picket.check.echo.jitter");
    else sink.set("picket.check.echo.jitter", jitter / 1e9);
  },
  blackbox,
  openStatus: (sink, outcome, { status, latency }) => {
    if (status === "error") return;
    sink.set("openstatus.icmp.packet.loss", lossOf(outcome));
    sink.set("openstatus.icmp.request.duration", latency);
  },
  answered: () => undefined,
};

/** There `setup` is the making of the socket, which is our own work and in no figure here. */
function blackbox(sink: FigureSink<IcmpBlackboxName>, outcome: OutcomeOf<"icmp">): void {
  const durations = {
    resolve: seconds(outcome.phases.dns),
    setup: 0,
    rtt: seconds(meanRoundTrip(outcome)),
  };
  for (const [phase, took] of Object.entries(durations))
    sink.set("probe_icmp_duration_seconds", took, { phase });
  if (outcome.hopLimit !== null) sink.set("probe_icmp_reply_hop_limit", outcome.hopLimit);
}
