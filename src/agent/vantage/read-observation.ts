import { nameFaultOf } from "#check/name-fault";
import { ownFaultOf } from "#check/own-faults";
import { ownFirewallWords } from "#check/evidence-words";
import { isAbsent, isUnresolved, leftNothing, peerHasAll, wasCutOff } from "#check/evidence";
import { type Failure, isTimeout } from "#check/failure";
import type { RunnableMonitor } from "#check/monitor";
import { connectionTook, isUnrouted, type Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { deadProxyWords, unroutedWords } from "#agent/vantage/cause-words";
import { datedRefusal } from "#agent/vantage/dated-refusal";
import { type Dependency, dependency } from "#agent/vantage/dependency";
import { type Needs, needsOf, type Surroundings } from "#agent/vantage/needs";
import type { MachineSight } from "#agent/vantage/machine-sight";
import type { Observation, Proof } from "#agent/vantage/observation";

/** Null if a result says nothing of the network: the monitor cannot be run, or its target is denied. */
export function observationOf(
  { outcome, failure, monitorId }: Pick<Result, "outcome" | "failure" | "monitorId">,
  { target, periodicity }: Pick<RunnableMonitor, "target" | "periodicity">,
  surroundings: Surroundings,
  now: number,
): Observation | null {
  if (outcome === null || failure?.phase === "config" || failure?.phase === "policy") return null;
  const needs = needsOf(target, outcome, surroundings);
  const findings =
    failure === null
      ? fine(needs)
      : readingOf(failure, outcome, needs, { now, sight: surroundings.sight });
  return {
    monitor: monitorId,
    host: needs.host,
    startedAt: now - outcome.total / 1e6,
    endedAt: now,
    staleAt: now + 2 * periodicity,
    doubted: [],
    routers: needs.routers,
    proven: null,
    hasNameError: false,
    refusal: null,
    ...findings,
  };
}

type Findings = Pick<Observation, "group" | "cleared" | "blamed"> &
  Partial<
    Pick<Observation, "proven" | "doubted" | "startedAt" | "hasNameError" | "refusal" | "routers">
  >;

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

interface Present {
  readonly now: number;
  readonly sight: MachineSight;
}

function readingOf(
  failure: Failure,
  outcome: Outcome,
  needs: Needs,
  { now, sight }: Present,
): Findings {
  switch (failure.phase) {
    case "agent":
      return {
        group: "none",
        cleared: [],
        blamed: [needs.machine],
        proven: {
          dependency: dependency("machine", ownFaultOf(failure.message)),
          sentence: failure.message,
        },
      };
    case "dns":
      return ofNames(failure, needs);
    case "connect":
      return ofConnect(outcome, needs, sight);
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
  const { name, resolver, resolverWay, machine, proxy, there, port, target } = needs;
  // The proxy resolves the target's name: it is that of the proxy which has no address here.
  if (proxy !== null) {
    const isUnknown = nameFaultOf(code) !== "no answer";
    const proven = isUnknown ? proofOfProxy(proxy) : null;
    return { group: "proxy", cleared: [], blamed: [machine, proxy], proven };
  }
  const server = resolver === null ? [...there, port] : [resolver];
  const way = resolver === null ? needs.way : resolverWay;
  switch (nameFaultOf(code)) {
    case "no answer":
      return { group: "dns", cleared: [], blamed: [machine, ...way, ...server, target] };
    case "no such name":
      return { group: "dns", cleared: [...way, ...server], blamed: present(name, target) };
    case "no usable answer":
      return {
        group: "dns",
        cleared: way,
        blamed: [...server, ...present(name, target)],
        hasNameError: resolver !== null,
      };
  }
}

/** How far packets came, outwards: whoever answered, all before it is well. */
function ofConnect(outcome: Outcome, needs: Needs, sight: MachineSight): Findings {
  const { evidence, failure } = outcome;
  const { machine, way, proxy, there, port, target } = needs;
  const group = proxy === null ? "connect" : "proxy";
  const beyond = proxy === null ? [...there, port, target] : [proxy];
  const deadProxy = proofOfProxy(proxy);
  const silent: Findings = { group, cleared: [], blamed: [machine, ...way, ...beyond] };
  const refused: Findings = {
    group,
    cleared: [...way, ...there],
    blamed: proxy === null ? [port, target] : [proxy],
    proven: deadProxy,
  };
  // Links that are down have no route either, and say more.
  if (isUnrouted(outcome) && sight.interfaces.some(({ link }) => link === "up"))
    return { ...silent, proven: unrouted(needs) };
  const refusedBy = evidence?.refusedBy ?? null;
  if (evidence !== null && refusedBy !== null)
    switch (refusedBy.from) {
      case "this machine":
        return leftNothing(evidence) || isUnresolved(refusedBy)
          ? silent
          : { group, cleared: [], blamed: [machine, target], proven: firewall(needs) };
      case "a router": {
        const path = dependency("path", refusedBy.sender);
        const findings = { group, proven: deadProxy, routers: [] } as const;
        const others = beyond.filter(({ scope }) => scope !== "path");
        if (!isAbsent(evidence, connectionTook(outcome)))
          return { ...findings, cleared: way, blamed: [path, ...others] };
        const absent = others.filter(({ scope }) => scope !== "prefix");
        return { ...findings, cleared: [...way, path], blamed: absent };
      }
      case "the peer":
        return refused;
    }
  if (failure?.code === "connection_refused") return refused;
  return silent;
}

const proofOfProxy = (proxy: Dependency | null): Proof | null =>
  proxy === null ? null : { dependency: proxy, sentence: deadProxyWords(proxy.subject) };

const unrouted = ({ host }: Needs): Proof => ({
  dependency: dependency("machine", "route"),
  sentence: unroutedWords(host),
});

const firewall = ({ port }: Needs): Proof => ({
  dependency: dependency("machine", "firewall"),
  sentence: ownFirewallWords(port.subject),
});

function ofTls(failure: Failure, outcome: Outcome, needs: Needs, now: number): Findings {
  const { machine, way, there, port, authority, target } = needs;
  if (outcome.evidence !== null && wasCutOff(outcome.evidence))
    return ofAnswer(outcome, needs, now);
  const judgedAt = outcome.startedAt + outcome.total / 1e6;
  const refusal = datedRefusal(failure, outcome.tls?.certificate ?? null, judgedAt);
  return {
    group: "tls",
    cleared: [...way, ...there, port],
    blamed: present(refusal === null ? null : machine, authority, target),
    refusal,
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
  if (tcp === null || tcp.sinceHeard === null || !isHeard || !isLate) return findings;
  const doubted = way.filter(({ scope }) => scope === "link" || scope === "gateway");
  return { ...findings, doubted, startedAt: now - tcp.sinceHeard };
}
