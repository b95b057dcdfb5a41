import type { DnsOutcome } from "#check/outcome";
import {
  blackboxGauge,
  type FigureSink,
  type Instruments,
  type KindView,
  openStatusGauge,
  seconds,
} from "#metrics/kinds/kind-view";

type DnsBlackboxName =
  | "probe_dns_duration_seconds"
  | "probe_dns_query_succeeded"
  | "probe_dns_answer_rrs";

type DnsOpenStatusName = "openstatus.dns.request.duration";

export const dnsBlackbox: Instruments<DnsBlackboxName> = {
  probe_dns_duration_seconds: blackboxGauge("s", "Duration of the DNS request by phase", "phase"),
  probe_dns_query_succeeded: blackboxGauge("", "1 if the query was answered, otherwise 0"),
  probe_dns_answer_rrs: blackboxGauge("", "Records in the answer"),
};

export const dnsOpenStatus: Instruments<DnsOpenStatusName> = {
  "openstatus.dns.request.duration": openStatusGauge("Latency of the DNS check, as reported"),
};

export const dnsView: KindView<"dns", DnsBlackboxName | DnsOpenStatusName> = {
  attributes: ({ name }) => ({ "dns.question.name": name }),
  own: () => {},
  blackbox,
  openStatus: (sink, _outcome, { status, latency }) => {
    if (status !== "error") sink.set("openstatus.dns.request.duration", latency);
  },
  answered: () => undefined,
};

function blackbox(sink: FigureSink<DnsBlackboxName>, { phases, rcode, records }: DnsOutcome): void {
  const { dns, connect, write, wait } = phases;
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect),
    request: seconds(write) + seconds(wait),
  };
  for (const [phase, took] of Object.entries(durations))
    sink.set("probe_dns_duration_seconds", took, { phase });
  sink.set("probe_dns_query_succeeded", rcode === null ? 0 : 1);
  sink.set("probe_dns_answer_rrs", records.length);
}
