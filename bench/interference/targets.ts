import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import packet from "dns-packet";
import { type MonitorDefinition, dnsDefaults, httpDefaults, tcpDefaults } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { startDaemon } from "../../test/lab/daemon.ts";
import { closedPort } from "../../test/servers/scripted.ts";
import {
  echoExchanges,
  tcpExchanges,
  udpExchanges,
  type WireExchange,
} from "../../test/wire-truth/exchange-on-wire.ts";
import type { Packet } from "../../test/wire-truth/pcap.ts";
import { padding, startNamePeer, startWebPeer } from "../../test/wire-truth/peers.ts";

/** Each kind of check that is watched. */
export const watchedKinds = ["http", "https", "grpc", "tcp", "dns", "icmp"] as const;
export type WatchedKind = (typeof watchedKinds)[number];

/** So many monitors of a kind, so many addresses of each tool: a check is found in the capture by its address. */
export const watchedCount = 100;
export const toolAddressCount = 16;

const block = (third: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `127.0.${third}.${n + 1}`);
const watchedAddresses = block(1, watchedCount);
/** The addresses of each other tool; the last block is of an agent that is given. */
export const toolAddresses: readonly (readonly string[])[] = [2, 3, 4, 5, 6, 7].map((third) =>
  block(third, toolAddressCount),
);
const neighbourAddresses = block(20, 64);

/** Where the targets are, and how packets of each kind are read. */
export interface Targets {
  readonly caFile: string;
  readonly nameServer: string;
  readonly ports: Readonly<Record<"http" | "https" | "tcp" | "dns", number>>;
  /** The `n`th watched monitor of a kind. */
  watched(kind: WatchedKind, n: number, addresses?: readonly string[]): MonitorDefinition;
  /** A monitor that only makes work. */
  neighbour(n: number): MonitorDefinition;
  /** One whose target sends 10 MiB. */
  large(n: number): MonitorDefinition;
  /** One whose target never answers. */
  silent(n: number, timeout: number): MonitorDefinition;
  /** What tcpdump lets through. */
  readonly filter: string;
  /** By the key of a watched monitor, or by the address alone. */
  exchanges(
    kind: WatchedKind,
    packets: readonly Packet[],
    by: "key" | "address",
  ): ReadonlyMap<string, readonly WireExchange[]>;
}

/** By what a check of a kind is found in a capture: its address, or the name that it asks for. */
export const keyOf = (kind: WatchedKind, n: number): string =>
  kind === "dns" ? `n${n}.wire.test` : (watchedAddresses[n] ?? "");

const common = { periodicity: "10s", timeout: 5_000, retry: 0, active: true } as const;
/** Loopback answers within a millisecond: what takes this many is slow, and is compared with the capture. */
export const degradedAt = 100;
const fill = [{ key: "x-fill", value: padding }];

export async function startTargets(folder: string, peers: AsyncDisposableStack): Promise<Targets> {
  const others = path.join(folder, "others");
  mkdirSync(others);
  const web = peers.use(await startWebPeer(folder, [...watchedAddresses, ...toolAddresses.flat()]));
  const names = peers.use(await startNamePeer(folder));
  const busy = peers.use(await startNeighbours(others));
  const health = peers.use(await startPeer("health-peer.ts"));
  const silent = peers.use(await startPeer("silent-peer.ts"));
  const ports = { http: web.plain, https: web.ecdsa, tcp: web.rsa, dns: names.port };
  const http = (name: string, url: string): MonitorDefinition => ({
    ...httpDefaults,
    ...common,
    name,
    url,
  });
  const tcp = (name: string, uri: string): MonitorDefinition => ({
    ...tcpDefaults,
    ...common,
    name,
    uri,
  });
  const watched: Targets["watched"] = (kind, n, addresses = watchedAddresses) => {
    const host = addresses[n % addresses.length] ?? "";
    const name = `${kind} ${n}`;
    switch (kind) {
      case "http":
      case "https":
        return { ...http(name, `${kind}://${host}:${ports[kind]}/`), headers: fill, degradedAt };
      case "tcp":
        return { ...tcp(name, `${host}:${ports.tcp}`), degradedAt };
      case "dns":
        return { ...dnsDefaults, ...common, name, degradedAt, uri: keyOf("dns", n), ...askedForA };
      case "icmp":
        return { ...kindTable.icmp.defaults, ...common, name, degradedAt, uri: host, packets: 1 };
      case "grpc":
        return {
          ...kindTable.grpc.defaults,
          ...common,
          name,
          degradedAt,
          uri: `${host}:${health.port}`,
          tlsMode: "tls_insecure",
          metadata: fill,
        };
    }
  };
  return {
    caFile: web.caFile,
    nameServer: `127.0.0.1:${names.port}`,
    ports,
    watched,
    neighbour: (n) => {
      const host = neighbourAddresses[n % neighbourAddresses.length] ?? "";
      const uri = `${host}:${busy.port}`;
      return n % 2 === 0 ? http(`neighbour ${n}`, `http://${uri}/`) : tcp(`neighbour ${n}`, uri);
    },
    large: (n) => ({
      ...http(`large ${n}`, `http://${neighbourAddresses[n % 8] ?? ""}:${busy.port}/large`),
      timeout: 9_000,
    }),
    silent: (n, timeout) => ({
      ...http(`silent ${n}`, `http://${neighbourAddresses[n % 64] ?? ""}:${silent.port}/`),
      timeout,
    }),
    filter: [...Object.values(ports), health.port]
      .map((port) => `port ${port}`)
      .concat("icmp")
      .join(" or "),
    exchanges: (kind, packets, by) =>
      Map.groupBy(
        kind === "dns" && by === "key"
          ? namedExchanges(packets, ports.dns)
          : exchangesOf(kind, packets, { ...ports, grpc: health.port }),
        ({ server }) => server,
      ),
  };
}

const askedForA = {
  recordAssertions: [{ record: "A", comparator: "eq", target: "10.0.0.1" }],
} as const;

function exchangesOf(
  kind: WatchedKind,
  packets: readonly Packet[],
  ports: Targets["ports"] & { readonly grpc: number },
): readonly WireExchange[] {
  switch (kind) {
    case "http":
    case "tcp":
      return tcpExchanges(packets, ports[kind], false);
    case "https":
      return tcpExchanges(packets, ports.https, true);
    case "grpc":
      return tcpExchanges(packets, ports.grpc, true, true);
    case "icmp":
      return echoExchanges(packets);
    case "dns":
      return udpExchanges(packets.filter(isNameTalk), ports.dns);
  }
}

/** All watched monitors ask one server, each for a name to itself. */
const namedExchanges = (packets: readonly Packet[], port: number): readonly WireExchange[] =>
  [...Map.groupBy(packets.filter(isNameTalk), nameOf)].flatMap(([name, some]) =>
    udpExchanges(some, port).map((one) => ({ ...one, server: name })),
  );

/** A query or its answer. */
const isNameTalk = ({ protocol, payload }: Packet): boolean =>
  protocol === "udp" && payload.length > 12;

const nameOf = ({ payload }: Packet): string => {
  const [question] = packet.decode(payload).questions ?? [];
  return (question?.name ?? "").toLowerCase();
};

/** nginx for what only makes work: short answers, and files of 10 MiB. */
async function startNeighbours(folder: string): Promise<AsyncDisposable & { port: number }> {
  const port = await closedPort();
  mkdirSync(path.join(folder, "tmp"));
  mkdirSync(path.join(folder, "files"));
  writeFileSync(path.join(folder, "files/large"), Buffer.alloc(10 * 2 ** 20, "x"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path tmp/${name};`)
    .join(" ");
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `user root; daemon off; pid nginx.pid; error_log stderr crit; worker_processes 1;
    events { worker_connections 4096; }
    http { access_log off; ${temporary} sendfile on;
      server { listen ${port} backlog=4096; location / { return 200 "${"x".repeat(256)}"; }
        location /large { root files; } } }`,
  );
  const args = ["-p", folder, "-c", path.join(folder, "nginx.conf")];
  const daemon = await startDaemon("nginx", args, { folder, port });
  return { port, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

/** A peer in a separate process, which says its port. */
async function startPeer(file: string): Promise<AsyncDisposable & { port: number }> {
  const script = path.join(import.meta.dirname, file);
  const args = ["--disable-warning=ExperimentalWarning", script];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: unknown[] = await once(server.stdout, "data");
  return {
    port: Number(String(line)),
    [Symbol.asyncDispose]: async () => {
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    },
  };
}
