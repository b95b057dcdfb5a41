import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { QueryType } from "#check/assertion";
import { systemClock } from "#base/clock";
import type { DnsOutcome } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { parseResolvConf } from "#probes/resolve/system-names";
import { millis } from "#base/units";
import { attempt, contextWith } from "../support/probing.ts";
import { closedPort } from "../servers/scripted.ts";
import { startDaemon } from "./daemon.ts";

/** Those that the lab has know zones by heart, by the names of their programs. */
export const authorities = ["knotd", "nsd", "named"] as const;
export type Authority = (typeof authorities)[number];
type Program = Authority | "unbound";

export interface Zone {
  readonly name: string;
  /** In the form of RFC 1035 §5.1, relative to the name. */
  readonly lines: readonly string[];
}

export type Ask = (name: string, ...types: readonly QueryType[]) => Promise<DnsOutcome>;

/** A running one, which listens on 127.0.0.1 and on ::1, and how to ask it with our own probe. */
export interface NameServer extends AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  readonly ask: Ask;
  readonly askOverIpv6: Ask;
  /** As `use-vc` of resolv.conf(5) has it. */
  readonly askOverTcp: Ask;
}

/** A configuration for a folder, a port and the names of the zones, whose files are there as `name.zone`. */
type Configuration = (folder: string, port: number, zones: readonly string[]) => string;

const configurations: Readonly<Record<Authority, Configuration>> = {
  // A zone whose name begins with "signed" is signed with a key of its own.
  knotd: (folder, port, zones) => `
server:
  rundir: ${folder}
  listen: [127.0.0.1@${port}, ::1@${port}]
  background-workers: 1
database:
  storage: ${folder}
log:
  - target: stderr
    any: warning
policy:
  - id: signed
    algorithm: ECDSAP256SHA256
zone:
${zones
  .map(
    (name) => `
  - domain: ${name}
    storage: ${folder}
    file: ${name}.zone
    zonefile-sync: -1
    dnssec-signing: ${name.startsWith("signed") ? "on" : "off"}
    dnssec-policy: signed
`,
  )
  .join("")}`,
  nsd: (folder, port, zones) => `
server:
  ip-address: 127.0.0.1@${port}
  ip-address: ::1@${port}
  username: ""
  pidfile: "${folder}/pid"
  database: ""
  xfrdfile: "${folder}/xfrd"
  zonelistfile: "${folder}/zones"
  xfrdir: "${folder}"
  zonesdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
${zones.map((name) => `zone:\n  name: ${name}\n  zonefile: ${name}.zone\n`).join("")}`,
  // The smallest UDP answers that it can be told to give: what is larger than 512 bytes is truncated.
  named: (folder, port, zones) => `
options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 port ${port} { ::1; };
  pid-file "pid";
  session-keyfile "session.key";
  managed-keys-directory "${folder}";
  recursion no;
  dnssec-validation no;
  check-names primary ignore;
  max-udp-size 512;
};
controls { };
${zones.map((name) => `zone "${name}" { type primary; file "${name}.zone"; };\n`).join("")}`,
};

/** In the foreground, so that the process that was started is the one that answers. */
const commandLines: Readonly<Record<Program, (file: string) => readonly string[]>> = {
  knotd: (file) => ["-c", file],
  nsd: (file) => ["-d", "-c", file],
  named: (file) => ["-g", "-n", "1", "-c", file],
  unbound: (file) => ["-d", "-c", file],
};

/** One that knows the zones by heart, and nothing else. */
export function startAuthority(program: Authority, zones: readonly Zone[]): Promise<NameServer> {
  const names = zones.map(({ name }) => name);
  return start(program, names[0] ?? "", (folder, port) => {
    for (const { name, lines } of zones)
      writeFileSync(path.join(folder, `${name}.zone`), zoneFile(name, lines));
    return configurations[program](folder, port, names);
  });
}

const zoneFile = (name: string, lines: readonly string[]): string =>
  [
    `$ORIGIN ${name}.`,
    "$TTL 60",
    "@ SOA ns hostmaster 1 60 60 600 60",
    "@ NS ns",
    "ns A 127.0.0.1",
    ...lines,
    "",
  ].join("\n");

/** One that asks others (unbound); `zones` says which port of this machine knows which zone. */
export function startResolver(
  zones: Readonly<Record<string, number>>,
  more: readonly string[] = [],
): Promise<NameServer> {
  const [first = ""] = Object.keys(zones);
  return start("unbound", first, (folder, port) => {
    const stubs = Object.entries(zones).map(
      ([name, at]) => `stub-zone:\n  name: ${name}\n  stub-addr: 127.0.0.1@${at}\n`,
    );
    return `
server:
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: "${folder}/pid"
  use-syslog: no
  use-systemd: no
  do-daemonize: no
  so-reuseport: no
  interface: 127.0.0.1@${port}
  interface: ::1@${port}
  do-not-query-localhost: no
  num-threads: 1
  local-zone: "test." nodefault
${more.map((line) => `  ${line}\n`).join("")}
remote-control:
  control-enable: no
${stubs.join("")}`;
  });
}

async function start(
  program: Program,
  zone: string,
  configure: (folder: string, port: number) => string,
): Promise<NameServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-lab-"));
  const port = await closedPort();
  const file = path.join(folder, "daemon.conf");
  writeFileSync(file, configure(folder, port));
  const daemon = await startDaemon(program, commandLines[program](file), { folder, port });
  const server: NameServer = {
    folder,
    port,
    ...waysToAsk(port),
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // The port is open before the zone is loaded; until then there are answers, but no records.
  for (let tries = 0; tries < 2_000; tries += 1) {
    const { failure } = await server.ask(`ns.${zone}`, "A");
    if (failure === null) return server;
    await systemClock.sleep(millis(20));
  }
  await server[Symbol.asyncDispose]();
  throw new Error(`${program} does not load ${zone}`);
}

function waysToAsk(port: number): Pick<NameServer, "ask" | "askOverIpv6" | "askOverTcp"> {
  const askAt =
    (host: string): Ask =>
    (name, ...types) =>
      attempt(probeDns, { kind: "dns", name, types, recordsNeeded: true, server: { host, port } });
  const onlyTcp = contextWith({
    systemNames: {
      hosts: () => [],
      resolvConf: () => ({
        ...parseResolvConf("options use-vc"),
        servers: [{ host: "127.0.0.1", port }],
      }),
    },
  });
  return {
    ask: askAt("127.0.0.1"),
    askOverIpv6: askAt("::1"),
    askOverTcp: (name, ...types) =>
      attempt(probeDns, { kind: "dns", name, types, recordsNeeded: true, server: null }, onlyTcp),
  };
}
