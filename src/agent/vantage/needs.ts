import { isIP } from "node:net";
import { kindTable, serverOf } from "#check/kinds/kind-table";
import type { HttpTarget, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { hostPortOf, showHostPort } from "#network/host-port";
import { proxyFor, type Proxying } from "#network/proxy";
import { type Dependency, dependency } from "#agent/vantage/dependency";
import { type MachineSight, neighbourhoodOf, wayTo } from "#agent/vantage/machine-sight";

/** What has to be known of the agent to read its results. */
export interface Surroundings {
  readonly proxying: Proxying;
  /** The addresses of the name servers that are asked. */
  readonly resolvers: readonly string[];
  readonly sight: MachineSight;
  /** The routers on the way to an address, the furthest first; empty if they are not known. */
  readonly routersTo: (address: string) => readonly KnownRouter[];
}

/** A router that lies on routes which were traced while all was well. */
export interface KnownRouter {
  readonly address: string;
  /** When the oldest of those routes was traced, in milliseconds of the monotonic clock. */
  readonly seenAt: number;
}

/** Everything that lies between this machine and an answer, from here outwards. */
export interface Needs {
  readonly host: string;
  readonly machine: Dependency;
  /** Link, gateway and family of the connection; empty for an address of this machine. */
  readonly way: readonly Dependency[];
  readonly resolver: Dependency | null;
  /** The way to the name servers. */
  readonly resolverWay: readonly Dependency[];
  readonly proxy: Dependency | null;
  /** The routers before the target by a route that was seen earlier; empty if none is known. */
  readonly routers: readonly KnownRouter[];
  /** These, prefix and host, as far as an address is known. */
  readonly there: readonly Dependency[];
  /** What answers there: a port, or the host's own ICMP. */
  readonly port: Dependency;
  readonly name: Dependency | null;
  readonly authority: Dependency | null;
  readonly target: Dependency;
}

export function needsOf(target: Target, outcome: Outcome, around: Surroundings): Needs {
  const end = endOf(target, around);
  const { host, port } = end;
  const proxy = end.proxied && port !== null ? proxyFor({ host, port }, around.proxying) : null;
  const dialled =
    outcome.evidence?.address ??
    outcome.addresses.findLast(({ ended }) => ended === "connected")?.address ??
    outcome.addresses.at(-1)?.address ??
    (isIP(end.host) === 0 ? null : end.host);
  const resolvers = around.resolvers.toSorted().join(", ");
  const routers = dialled === null || proxy !== null ? [] : around.routersTo(dialled);
  const issuer = outcome.tls?.certificate?.issuer ?? null;
  return {
    host: proxy === null ? (dialled ?? end.host) : end.host,
    machine: dependency("machine", "machine"),
    way: dialled === null ? [] : wayOf(dialled, around.sight),
    resolver: end.resolves && resolvers !== "" ? dependency("resolver", resolvers) : null,
    resolverWay: around.resolvers.slice(0, 1).flatMap((address) => wayOf(address, around.sight)),
    proxy: proxy === null ? null : dependency("proxy", showHostPort(proxy.host, proxy.port)),
    routers,
    there:
      dialled === null || proxy !== null
        ? []
        : [
            ...routers.map(({ address }) => dependency("path", address)),
            dependency("prefix", neighbourhoodOf(dialled)),
            dependency("host", dialled),
          ],
    port: dependency(
      "port",
      port === null ? `ICMP of ${dialled ?? host}` : showHostPort(dialled ?? host, port),
    ),
    name: isIP(end.host) === 0 ? dependency("name", end.host) : null,
    authority: issuer === null ? null : dependency("authority", issuer),
    target: dependency("target", port === null ? host : showHostPort(host, port)),
  };
}

interface End {
  readonly host: string;
  /** Null if the check needs none: it asks the host itself. */
  readonly port: number | null;
  readonly proxied: boolean;
  /** Whether the configured name servers are asked. */
  readonly resolves: boolean;
}

/** A monitor's URL is taken apart once, and what came of it goes with the monitor. */
const ends = new WeakMap<HttpTarget, ReturnType<typeof hostPortOf>>();

function endOf(target: Target, { proxying, resolvers }: Surroundings): End {
  if (target.kind === "http") {
    const end = ends.getOrInsertComputed(target, ({ url }) => hostPortOf(new URL(url)));
    return proxiedEnd(end, proxying);
  }
  if (target.kind === "dns") {
    const own = { host: resolvers[0] ?? "name servers", port: 53 };
    return { ...(target.server ?? own), proxied: false, resolves: target.server === null };
  }
  const { host, port } = serverOf(target.kind, target) ?? { host: "", port: null };
  return port !== null && kindTable[target.kind].isProxied
    ? proxiedEnd({ host, port }, proxying)
    : { host, port, proxied: false, resolves: isIP(host) === 0 };
}

function proxiedEnd(
  end: { readonly host: string; readonly port: number },
  proxying: Proxying,
): End {
  const proxied = proxyFor(end, proxying) !== null;
  return { ...end, proxied, resolves: !proxied && isIP(end.host) === 0 };
}

function wayOf(address: string, { routes }: MachineSight): readonly Dependency[] {
  const family = dependency("family", address.includes(":") ? "IPv6" : "IPv4");
  const way = wayTo(address, routes);
  switch (way.is) {
    case "here":
      return [];
    case "none":
      return [dependency("link", "any"), family];
    case "out":
      return [
        dependency("link", way.device),
        ...(way.gateway === null ? [] : [dependency("gateway", way.gateway)]),
        family,
      ];
  }
}
