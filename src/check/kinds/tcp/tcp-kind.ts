import { connectTarget } from "#check/kinds/tcp/connect-words";
import { tcpForm } from "#check/kinds/tcp/tcp-form";
import { text } from "#check/argument";
import { type TcpDefinition, tcpDefaults } from "#check/definition";
import { type ArgumentsOf, commonArguments, nameArgument } from "#check/kinds/common-arguments";
import type { KindEntry } from "#check/kinds/kind-entry";
import { readUri } from "#check/kinds/reading";
import { shownUri } from "#check/kinds/shown-uri";
import { withoutScheme } from "#check/kinds/typed-kind";
import { parseTcpUri } from "#check/target";
import * as limits from "#limits/check-limits";
import { showHostPort } from "#network/host-port";

const tcpArguments: ArgumentsOf<TcpDefinition> = {
  name: nameArgument,
  uri: text({
    does: "`host:port`. An IPv6 address is in brackets: `[::1]:5432`.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  ...commonArguments,
};

const example = `tcp_monitors:
  - name: database
    uri: db.internal:5432
    periodicity: 1m
    active: true
    timeout: 2000
  - name: database over IPv6
    uri: "[fd00::5]:5432"
    periodicity: 1m
    active: true`;

/** A connection to a port, without a word. */
export const tcpKind: KindEntry<"tcp"> = {
  label: "TCP",
  passesIf: "a connection is made",
  trialShows: "where the time went: DNS, connect",
  glyph: "M7.5 2.5V6M12.5 2.5V6M5 6h10v3.5a5 5 0 0 1-10 0zM10 14.5v3",
  noun: "a TCP target",
  does: "Connections to a TCP port.",
  arguments: tcpArguments,
  defaults: tcpDefaults,
  values: (read) => read(tcpArguments),
  example,
  form: tcpForm,
  written: ({ uri }, common) => ({ kind: "tcp", uri, ...common }),
  unseen: { kind: "tcp" },
  typed: {
    scheme: /^tcp:/i,
    shape: "tcp://host:port",
    definition: (uri, { common }) => ({ ...tcpDefaults, ...common, uri }),
    pasted: withoutScheme,
    commands: [{ programs: ["nc", "ncat", "netcat", "telnet"], read: connectTarget }],
  },
  judgedBy: ["latency"],
  uri: ({ uri }) => uri,
  shownUri,
  read: ({ uri }, findings) => readUri(parseTcpUri, uri, findings),
  assertions: () => [],
  shown: ({ host, port }) => showHostPort(host, port),
  caution: () => "",
  name: ({ host, port }) => showHostPort(host, port),
  server: (target) => target,
  isProxied: true,
  sent: null,
  cut: (outcome) => outcome,
  lines: () => [],
  facts: () => [],
  json: null,
};
