import { nameFaultOf } from "#check/name-fault";
import { isIP } from "node:net";
import { isUnresolved, leftNothing, peerHasAll, wasCutOff } from "#check/evidence";
import { type Failure, isTimeout } from "#check/failure";
import type { HttpTarget, RunnableMonitor, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { hostPortOf, showHostPort } from "#network/host-port";
import { proxyFor, type Proxying } from "#network/proxy";
import { type Dependency, dependency } from "#vantage/dependency";
import { type MachineSight, neighbourhoodOf, wayTo } from "#vantage/machine-sight";

/** What one result says of everything that the check needed: what carried it, and what may have failed it. */
export interface Observation {
  readonly monitor: string;
  /** Hosts are counted, not monitors: ten monitors of one host fail together. */
  readonly host: string;
  /** Which failures are compared with each other. */
  readonly group: FailureGroup;
  /** When the attempt began, or its peer last sent something, and when it ended: milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** When it is no longer of now. */
  readonly staleAt: number;
  readonly cleared: readonly Dependency[];
  readonly blamed: readonly Dependency[];
  /** What carried it at first, and may have failed it since: only a proof counts against it. */
  readonly doubted: readonly Dependency[];
  /** What is seen to be at fault, beyond doubt. */
  readonly proven: Dependency | null;
}

export type FailureGroup = "none" | "dns" | "connect" | "proxy" | "tls" | "answer";

/** What has to be known of the agent to read its results. */
export interface Surroundings {
  readonly proxying: Proxying;
  /** The addresses of the name servers that are asked. */
  readonly resolvers: readonly string[];
  readonly sight: MachineSight;
  /** The routers on the way to an address, the furthest first; empty where they are not known. */
  readonly routersTo: (address: string) => readonly string[];
}

/** Null where a result says nothing of the network: the monitor cannot be run, or its target is denied. */
export function observationOf(
  { outcome, failure, monitorId }: Pick<Result, "outcome" | "failure" | "monitorId">,
  { target, periodicity }: Pick<RunnableMonitor, "target" | "periodicity">,
  surroundings: Surroundings,
  now: number,
): Observation | null {
  if (outcome === null || failure?.phase === "config" || failure?.phase === "policy") return null;
  const needs = needsOf(target, outcome, surroundings);
  const findings = failure === null ? fine(needs) : readingOf(failure, outcome, needs, now);
  return {
    monitor: monitorId,
    host: needs.host,
    startedAt: now - outcome.total / 1e6,
    endedAt: now,
    staleAt: now + 2 * periodicity,
    doubted: [],
    proven: null,
    ...findings,
  };
}

/** Everything that lies between this machine and an answer, from here outwards. */
interface Needs {
  readonly host: string;
  readonly machine: Dependency;
  /** Link, gateway and family of the connection; empty for an address of this machine. */
  readonly way: readonly Dependency[];
  readonly resolver: Dependency | null;
  /** The way to the name servers. */
  readonly resolverWay: readonly Dependency[];
  readonly proxy: Dependency | null;
  /** Routers, prefix and host, as far as an address is known. */
  readonly there: readonly Dependency[];
  readonly port: Dependency;
  readonly name: Dependency | null;
  readonly authority: Dependency | null;
  readonly target: Dependency;
}

function needsOf(target: Target, outcome: Outcome, around: Surroundings): Needs {
  const end = endOf(target, around);
  const proxy = end.proxied ? proxyFor(end, around.proxying) : null;
  const dialled =
    outcome.evidence?.address ??
    outcome.addresses.findLast(({ ended }) => ended === "connected")?.address ??
    outcome.addresses.at(-1)?.address ??
    (isIP(end.host) === 0 ? null : end.host);
  const resolvers = around.resolvers.toSorted().join(", ");
  const issuer = outcome.tls?.certificate?.issuer ?? null;
  return {
    host: proxy === null ? (dialled ?? end.host) : end.host,
    machine: dependency("machine", "machine"),
    way: dialled === null ? [] : wayOf(dialled, around.sight),
    resolver: end.resolves && resolvers !== "" ? dependency("resolver", resolvers) : null,
    resolverWay: around.resolvers.slice(0, 1).flatMap((address) => wayOf(address, around.sight)),
    proxy: proxy === null ? null : dependency("proxy", showHostPort(proxy.host, proxy.port)),
    there:
      dialled === null || proxy !== null
        ? []
        : [
            ...around.routersTo(dialled).map((router) => dependency("path", router)),
            dependency("prefix", neighbourhoodOf(dialled)),
            dependency("host", dialled),
          ],
    port: dependency("port", showHostPort(dialled ?? end.host, end.port)),
    name: isIP(end.host) === 0 ? dependency("name", end.host) : null,
    authority: issuer === null ? null : dependency("authority", issuer),
    target: dependency("target", showHostPort(end.host, end.port)),
  };
}

interface End {
  readonly host: string;
  readonly port: number;
  readonly proxied: boolean;
  /** Whether the configured name servers are asked. */
  readonly resolves: boolean;
}

/** A monitor's URL is taken apart once, and what came of it goes with the monitor. */
const ends = new WeakMap<HttpTarget, ReturnType<typeof hostPortOf>>();

function endOf(target: Target, { proxying, resolvers }: Surroundings): End {
  switch (target.kind) {
    case "http": {
      const end = ends.getOrInsertComputed(target, ({ url }) => hostPortOf(new URL(url)));
      const proxied = proxyFor(end, proxying) !== null;
      return { ...end, proxied, resolves: !proxied && isIP(end.host) === 0 };
    }
    case "tcp": {
      const proxied = proxyFor(target, proxying) !== null;
      const { host, port } = target;
      return { host, port, proxied, resolves: !proxied && isIP(host) === 0 };
    }
    case "dns": {
      const own = { host: resolvers[0] ?? "name servers", port: 53 };
      return { ...(target.server ?? own), proxied: false, resolves: target.server === null };
    }
  }
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

type Findings = Pick<Observation, "group" | "cleared" | "blamed"> &
  Partial<Pick<Observation, "proven" | "doubted" | "startedAt">>;

const present = (...all: readonly (Dependency | null)[]): readonly Dependency[] =>
  all.filter((one) => one !== null);

const fine = (needs: Needs): Findings => ({
  group: "none",
  blamed: [],
  cleared: [
    needs.machine,
    ...needs.way,
    ...present(needs.resolver, needs.proxy, needs.name, needs.authority),
    ...needs.there,
    needs.port,
    needs.target,
  ],
});

function readingOf(failure: Failure, outcome: Outcome, needs: Needs, now: number): Findings {
  switch (failure.phase) {
    case "agent":
      return {
        group: "none",
        cleared: [],
        blamed: [needs.machine],
        proven: dependency("machine", failure.message),
      };
    case "dns":
      return ofNames(failure, needs);
    case "connect":
      return ofConnect(outcome, needs);
    case "proxy":
      return {
        group: "proxy",
        cleared: needs.way,
        blamed: present(needs.machine, needs.proxy, needs.target),
      };
    case "tls":
      return ofTls(failure, outcome, needs, now);
    case "write":
    case "wait":
      return outcome.kind === "dns" ? ofNames(failure, needs) : ofAnswer(outcome, needs, now);
    case "receive":
    case "decode":
    case "assertion":
    case "config":
    case "policy":
      return ofAnswer(outcome, needs, now);
  }
}

/** What a server says of a name is not the server's fault; its silence may be anyone's between. */
function ofNames({ code }: Failure, needs: Needs): Findings {
  const { name, resolver, resolverWay, machine, there, port, target } = needs;
  const server = resolver === null ? [...there, port] : [resolver];
  const way = resolver === null ? needs.way : resolverWay;
  switch (nameFaultOf(code)) {
    case "no answer":
      return { group: "dns", cleared: [], blamed: [machine, ...way, ...server, target] };
    case "no such name":
      return { group: "dns", cleared: [...way, ...server], blamed: present(name, target) };
    case "no usable answer":
      return { group: "dns", cleared: way, blamed: [...server, ...present(name, target)] };
  }
}

/** How far packets came, outwards: whoever answered, all before it is well. */
function ofConnect({ evidence, failure }: Outcome, needs: Needs): Findings {
  const { machine, way, proxy, there, port, target } = needs;
  const group = proxy === null ? "connect" : "proxy";
  const beyond = proxy === null ? [...there, port, target] : [proxy];
  const silent: Findings = { group, cleared: [], blamed: [machine, ...way, ...beyond] };
  const refused: Findings = {
    group,
    cleared: [...way, ...there],
    blamed: proxy === null ? [port, target] : [proxy],
    proven: proxy,
  };
  const refusedBy = evidence?.refusedBy ?? null;
  if (evidence !== null && refusedBy !== null)
    switch (refusedBy.from) {
      case "this machine":
        return leftNothing(evidence) || isUnresolved(refusedBy)
          ? silent
          : { group, cleared: [], blamed: [machine, target], proven: firewall(needs) };
      case "a router": {
        const path = dependency("path", refusedBy.sender);
        const others = beyond.filter(({ scope }) => scope !== "path");
        return { group, cleared: way, blamed: [path, ...others], proven: proxy };
      }
      case "the peer":
        return refused;
    }
  if (failure?.code === "connection_refused") return refused;
  return silent;
}

const firewall = ({ port }: Needs): Dependency =>
  dependency("machine", `this machine's own firewall refuses ${port.subject}`);

function ofTls({ code }: Failure, outcome: Outcome, needs: Needs, now: number): Findings {
  const { machine, way, there, port, authority, target } = needs;
  if (outcome.evidence !== null && wasCutOff(outcome.evidence))
    return ofAnswer(outcome, needs, now);
  const dated = code === "tls_expired" || code === "tls_not_yet_valid";
  return {
    group: "tls",
    cleared: [...way, ...there, port],
    blamed: present(dated ? machine : null, authority, target),
  };
}

/** The connection was there. Where the peer still acknowledges, all up to its kernel is well. */
function ofAnswer(
  { evidence, failure }: Pick<Outcome, "evidence" | "failure">,
  needs: Needs,
  now: number,
): Findings {
  const { machine, way, proxy, there, port, target } = needs;
  if (evidence !== null && wasCutOff(evidence))
    return { group: "answer", cleared: [], blamed: [machine, ...way, ...there, port, target] };
  const isHeard = evidence === null || peerHasAll(evidence);
  const isLate = failure !== null && isTimeout(failure.code);
  const findings: Findings = {
    group: "answer",
    cleared: isHeard ? [...way, ...there, port] : [],
    // An answer may be there while this machine keeps us from reading it.
    blamed: present(isLate ? machine : null, proxy, target),
  };
  const tcp = evidence?.tcp ?? null;
  if (tcp === null || !isHeard || !isLate) return findings;
  const doubted = way.filter(({ scope }) => scope === "link" || scope === "gateway");
  return { ...findings, doubted, startedAt: now - tcp.sinceHeard };
}
