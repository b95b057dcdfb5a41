import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type MonitorDefinition, dnsDefaults, httpDefaults, tcpDefaults } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import type { BlackboxModule } from "../../test/wire-truth/other-tools.ts";
import {
  addresses,
  type NamePeer,
  padding,
  startNamePeer,
  startWebPeer,
  type WebPeer,
} from "../../test/wire-truth/peers.ts";

/** One kind of check, as each tool is told of it. */
export interface Kind {
  readonly name: string;
  readonly module: BlackboxModule;
  readonly caFile: string;
  /** The `n`th target in the exporter's words. */
  readonly target: (n: number) => string;
  readonly monitor: (n: number) => MonitorDefinition;
  /** What the agent is told beside its monitors. */
  readonly env: Readonly<Record<string, string>>;
}

/** Three echoes to this machine; the exporter is not asked for them. */
export const pings: Pick<Kind, "name" | "monitor" | "env"> = {
  name: "icmp",
  monitor: (n) => ({
    ...kindTable.icmp.defaults,
    ...common,
    name: `icmp ${n}`,
    uri: `127.${Math.floor(n / 62_500)}.${Math.floor(n / 250) % 250}.${1 + (n % 250)}`,
  }),
  env: {},
};

/** A certificate names few hosts; several, because one would run out of ports at this rate. */
const hosts = addresses.slice(0, 4);
const hostOf = (n: number): string => hosts[n % hosts.length] ?? "";
const common = { periodicity: "10s", timeout: 5_000, retry: 0, active: true } as const;

/** nginx and knot, and what is asked of them. */
export async function startKinds(
  folder: string,
  peers: AsyncDisposableStack,
): Promise<readonly Kind[]> {
  const web = peers.use(await startWebPeer(folder, hosts));
  const names = peers.use(await startNamePeer(folder));
  return [...webKinds(web, withSystemAuthorities(folder, web.caFile)), ...plainKinds(web, names)];
}

function webKinds({ plain, ecdsa, caFile }: WebPeer, many: string): readonly Kind[] {
  const over = (name: string, scheme: string, port: number, http2: boolean, ca: string): Kind => {
    const target = (n: number): string => `${scheme}://${hostOf(n)}:${port}/`;
    return {
      name,
      module: http2 ? "http2" : "http1",
      caFile: ca,
      target,
      monitor: (n) => ({
        ...httpDefaults,
        ...common,
        name: `${name} ${n}`,
        url: target(n),
        headers: [{ key: "x-fill", value: padding }],
      }),
      env: { PICKET_HTTP2: http2 ? "on" : "off", PICKET_CA_FILE: ca },
    };
  };
  return [
    over("http", "http", plain, false, caFile),
    over("https", "https", ecdsa, false, caFile),
    over("https, HTTP/2", "https", ecdsa, true, caFile),
    over("https, 145 authorities", "https", ecdsa, false, many),
  ];
}

function plainKinds({ plain, caFile }: WebPeer, names: NamePeer): readonly Kind[] {
  const tcpTarget = (n: number): string => `${hostOf(n)}:${plain}`;
  return [
    {
      name: "tcp",
      module: "tcp",
      caFile,
      target: tcpTarget,
      monitor: (n) => ({ ...tcpDefaults, ...common, name: `tcp ${n}`, uri: tcpTarget(n) }),
      env: {},
    },
    {
      name: "dns",
      module: "dns",
      caFile,
      target: () => `127.0.0.1:${names.port}`,
      monitor: (n) => ({
        ...dnsDefaults,
        ...common,
        name: `dns ${n}`,
        uri: "a.wire.test",
        recordAssertions: [{ record: "A", comparator: "eq", target: "10.0.0.1" }],
      }),
      env: { PICKET_DNS_SERVERS: `127.0.0.1:${names.port}` },
    },
  ];
}

/** The peer's authority among those of the system, as a file of a company often has it. */
function withSystemAuthorities(folder: string, caFile: string): string {
  const file = path.join(folder, "many.crt");
  const system = readFileSync("/etc/ssl/certs/ca-certificates.crt", "latin1");
  writeFileSync(file, system + readFileSync(caFile, "latin1"));
  return file;
}
