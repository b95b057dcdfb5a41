import { pingTarget } from "#check/kinds/icmp/ping-words";
import * as kindsLimits from "#limits/kinds-limits";
import { icmpForm } from "#check/kinds/icmp/icmp-form";
import { noEchoes } from "#check/kinds/icmp/icmp-outcome";
import { commonDefaults, type DefinitionOf } from "#check/definition";
import { icmpArguments } from "#check/kinds/icmp/icmp-arguments";
import { icmpFacts } from "#check/kinds/icmp/icmp-facts";
import { readIcmpAssertions, readIcmpTarget } from "#check/kinds/icmp/read-icmp";
import { assertionLines, type KindEntry } from "#check/kinds/kind-entry";
import { icmpJson } from "#check/kinds/icmp/icmp-json";
import { withoutScheme } from "#check/kinds/typed-kind";
import { shownUri } from "#check/kinds/shown-uri";

const icmpDefaults: DefinitionOf<"icmp"> = {
  ...commonDefaults,
  kind: "icmp",
  uri: "",
  packets: kindsLimits.icmpPacketsDefault,
  interval: kindsLimits.icmpIntervalDefault,
  lossAssertions: [],
  latencyAssertions: [],
};

const example = `icmp_monitors:
  - name: gateway
    uri: 10.0.0.1
    periodicity: 30s
    active: true
    timeout: 2000
    packets: 5
    degraded_at: 20 # milliseconds, the mean of the replies
    loss_assertions:
      - { comparator: lt, target: 40 } # percent`;

/** Echo requests to a host. */
export const icmpKind: KindEntry<"icmp"> = {
  label: "Ping",
  passesIf: "one reply arrives",
  trialShows: "how many replies came, and how long they took",
  glyph:
    "M2.75 8.5a10.5 10.5 0 0 1 14.5 0M5.5 11.5a6.5 6.5 0 0 1 9 0M8 14.25a3 3 0 0 1 4 0M10 16.75h.01",
  noun: "an ICMP target",
  does: "Pings: ICMP echo requests to a host.",
  arguments: icmpArguments,
  defaults: icmpDefaults,
  values: (read) => read(icmpArguments),
  example,
  form: icmpForm,
  written: ({ uri, packets, interval, ...one }, common) => ({
    kind: "icmp",
    uri,
    packets,
    interval,
    lossAssertions: one.loss_assertions,
    latencyAssertions: one.latency_assertions,
    ...common,
  }),
  unseen: noEchoes,
  typed: {
    scheme: /^(?:ping|icmp):/i,
    shape: "ping:host",
    definition: (uri, { common, rules }) => ({
      ...icmpDefaults,
      ...common,
      uri,
      lossAssertions: rules("loss").map(({ comparator, number }) => ({
        comparator,
        target: number,
      })),
    }),
    pasted: withoutScheme,
    commands: [{ programs: ["ping", "ping6"], read: pingTarget }],
  },
  judgedBy: ["loss", "latency"],
  uri: ({ uri }) => uri,
  shownUri,
  read: readIcmpTarget,
  assertions: readIcmpAssertions,
  shown: ({ host }) => host,
  caution: () => "",
  name: ({ host }) => host,
  server: ({ host }) => ({ host, port: null }),
  isProxied: false,
  sent: null,
  cut: (outcome) => outcome,
  lines: ({ packets, interval, lossAssertions, latencyAssertions }) => [
    { label: "Echoes", value: packets === 1 ? "1" : `${packets}, ${interval} ms apart` },
    ...assertionLines([
      ...lossAssertions.map(({ comparator, target }) => `loss ${comparator} ${target} %`),
      ...latencyAssertions.map(({ comparator, target }) => `latency ${comparator} ${target} ms`),
    ]),
  ],
  facts: icmpFacts,
  json: icmpJson,
};
