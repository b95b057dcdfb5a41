import { digTarget } from "#check/kinds/dns/dig-words";
import { lookupTarget } from "#check/kinds/dns/lookup-words";
import { dnsForm } from "#check/kinds/dns/dns-form";
import { dnsDefaults } from "#check/definition";
import { dnsArguments } from "#check/kinds/dns/dns-arguments";
import { dnsFacts } from "#check/kinds/dns/dns-facts";
import { readDnsTarget, readRecordAssertions } from "#check/kinds/dns/read-dns";
import { assertionLines, type KindEntry } from "#check/kinds/kind-entry";
import { shownUri } from "#check/kinds/shown-uri";
import type { DnsTarget } from "#check/monitor";
import { showHostPort } from "#network/host-port";

const example = `dns_monitors:
  - name: mail
    uri: example.com
    periodicity: 10m
    active: true
    record_assertions:
      - { record: MX, comparator: contains, target: mail.example.com }
  - name: our own name server
    uri: dns:shop.internal?server=10.0.0.53
    periodicity: 1m
    active: true`;

/** Questions to a name server. */
export const dnsKind: KindEntry<"dns"> = {
  label: "DNS",
  passesIf: "a name server answers",
  trialShows: "which records the answer has",
  glyph: "M10 2.5v15M10 4h5.5l2 2-2 2H10M10 9.5H4.5l-2 2 2 2H10",
  noun: "a DNS target",
  does: "Questions to name servers.",
  arguments: dnsArguments,
  defaults: dnsDefaults,
  values: (read) => read(dnsArguments),
  example,
  form: dnsForm,
  written: ({ uri, record_assertions: recordAssertions }, common) => ({
    kind: "dns",
    uri,
    recordAssertions,
    ...common,
  }),
  unseen: {
    kind: "dns",
    server: null,
    rcode: null,
    transport: null,
    measuredBy: null,
    records: [],
  },
  typed: {
    scheme: /^dns:/i,
    shape: "dns:name",
    definition: (uri, { common, rules }) => ({
      ...dnsDefaults,
      ...common,
      uri,
      recordAssertions: rules("record").map(({ subject, comparator, target }) => ({
        record: subject.toUpperCase(),
        comparator,
        target,
      })),
    }),
    pasted: (text) =>
      new Map([["uri", text.includes("?") ? text : text.replace(/^dns:(?:\/\/)?/i, "")]]),
    commands: [
      { programs: ["dig", "kdig", "drill"], read: digTarget },
      { programs: ["host", "nslookup"], read: lookupTarget },
    ],
  },
  judgedBy: ["record", "latency"],
  uri: ({ uri }) => uri,
  shownUri,
  read: readDnsTarget,
  assertions: readRecordAssertions,
  shown: shownQuestion,
  caution: () => "",
  name: ({ name }) => name,
  server: ({ server }) => server,
  isProxied: false,
  sent: null,
  cut: (outcome) => outcome,
  lines: ({ recordAssertions }) =>
    assertionLines(
      recordAssertions.map(
        ({ record, comparator, target }) => `${record} ${comparator} ${JSON.stringify(target)}`,
      ),
    ),
  facts: dnsFacts,
  json: ({ rcode, server, transport, measuredBy, records }) => ({
    rcode,
    server,
    transport,
    measured_by: measuredBy,
    records,
  }),
};

function shownQuestion({ name, types, server }: DnsTarget): string {
  const asked = types.length === 0 ? "" : ` ${types.join(" ")}`;
  const at = server === null ? "" : ` at ${showHostPort(server.host, server.port)}`;
  return `${name}${asked}${at}`;
}
