import { shownLatency } from "#check/shown-latency";
import { inMillis } from "#cli/edge/phase-chart";
import { evidenceFacts, pathWords, sizeWords } from "#check/evidence-words";
import { directWords } from "#check/place-words";
import { type Outcome, phaseNames } from "#check/outcome";
import type { Result } from "#check/result";
import { showHostPort } from "#network/host-port";
import type { Reference } from "#agent/prober/prober";
import { nanosToMillis } from "#base/units";
import type { MachineSight, Way } from "#agent/vantage/machine-sight";

/** One step on the way to a target, and what was seen there. */
export interface Step {
  readonly step: string;
  readonly is: "well" | "broken" | "unknown";
  readonly says: string;
}

interface WhyFacts {
  readonly result: Result;
  readonly sight: MachineSight;
  readonly address: string | null;
  readonly way: Way | null;
  readonly isGatewayPassed: boolean;
  readonly references: readonly ReferenceLook[];
}

/** What came of asking one of the operator's references. */
export interface ReferenceLook {
  readonly reference: Reference;
  readonly outcome: Outcome;
}

/** From this machine outwards. */
export const stepsOf = (found: WhyFacts): readonly Step[] => [
  ...linkStep(found),
  ...wayStep(found),
  ...gatewayStep(found),
  ...nameSteps(found),
  ...found.references.map(referenceStep),
  ...loadStep(found.sight),
  checkStep(found.result),
  ...timeStep(found.result),
  ...redirectStep(found.result),
  ...directStep(found.result),
  ...connectionSteps(found.result),
];

const broken = (step: string, says: string): Step => ({ step, is: "broken", says });
const well = (step: string, says: string): Step => ({ step, is: "well", says });
const unknown = (step: string, says: string): Step => ({ step, is: "unknown", says });

/** Of the interface that leads to the target, or of those that lead anywhere, or of all. */
function linkStep({ sight, way }: WhyFacts): readonly Step[] {
  if (way?.is === "here") return [];
  const routed = new Set(
    way?.is === "out" ? [way.device] : sight.routes.map(({ device }) => device),
  );
  const used = sight.interfaces.filter(({ name }) => routed.has(name));
  return (used.length > 0 ? used : sight.interfaces).map(({ name, link }) => {
    switch (link) {
      case "up":
        return well("link", `${name} is up`);
      case "no carrier":
        return broken("link", `${name} has no carrier: its cable or switch is gone`);
      case "switched off":
        return broken("link", `${name} is switched off`);
      case "unknown":
        return unknown("link", `${name} does not say whether it has a carrier`);
    }
  });
}

function wayStep({ address, way }: WhyFacts): readonly Step[] {
  if (address === null || way === null) return [];
  switch (way.is) {
    case "here":
      return [well("route", `${address} is this machine`)];
    case "none":
      return [broken("route", `no route of this machine leads to ${address}`)];
    case "out":
      return [
        well(
          "route",
          way.gateway === null
            ? `${address} is in this network, at ${way.device}`
            : `${address} by ${way.device} and the gateway ${way.gateway}`,
        ),
      ];
  }
}

function gatewayStep({ way, sight, result, isGatewayPassed }: WhyFacts): readonly Step[] {
  if (way === null || way.is !== "out" || way.gateway === null) return [];
  const { gateway } = way;
  if (sight.silentGateways.includes(gateway))
    return [broken("gateway", `${gateway} does not answer on this network`)];
  if (isGatewayPassed) return [well("gateway", `packets came back through ${gateway}`)];
  return [
    unknown(
      "gateway",
      isHeard(result)
        ? `${gateway} answers, and nothing came back through it`
        : `${gateway} is known on this network, and nothing came back through it`,
    ),
  ];
}

/** Whether any router answered: the link works, and the gateway is there. */
export const isHeard = ({ outcome }: Result): boolean =>
  (outcome?.evidence?.path?.hops ?? []).some(({ ended }) => ended !== "silence");

/** Whether anything beyond the gateway did: that passes packets on. */
export const isPassed = ({ outcome }: Result): boolean =>
  (outcome?.evidence?.path?.hops ?? []).some(({ ttl, ended }) => ttl > 1 && ended !== "silence");

/** A silence of its own proves nothing. */
function referenceStep({ reference, outcome: { failure } }: ReferenceLook): Step {
  const where = showHostPort(reference.host, reference.port);
  return failure === null
    ? well("reference", `${where} answers`)
    : unknown("reference", `${where} does not answer: ${failure.message}`);
}

/** Some refuse what they do not serve: an error is a fault only if the name could not be resolved. */
const nameSteps = ({ sight: { resolvers }, result }: WhyFacts): readonly Step[] =>
  resolvers.map(({ server, is }) => {
    switch (is) {
      case "well":
        return well("name server", `${server} answers`);
      case "failing":
        return (result.failure?.phase === "dns" ? broken : unknown)(
          "name server",
          `${server} answers with an error, even if no name can be at fault`,
        );
      case "silent":
        return broken("name server", `${server} does not answer`);
    }
  });

function loadStep({ throttledShare, pressureShare }: MachineSight): readonly Step[] {
  const share = Math.max(throttledShare ?? 0, pressureShare ?? 0);
  if (share <= busyShareMin) return [];
  return [
    unknown(
      "load",
      `this machine was too busy to run for ${Math.round(share * 100)} % of the time`,
    ),
  ];
}

const busyShareMin = 0.25;

function checkStep(result: Result): Step {
  const { failure } = result;
  return failure === null
    ? well("check", `passes in ${shownLatency(result)}`)
    : broken("check", `${failure.code} in ${failure.phase}: ${failure.message}`);
}

/** Where the time of an answer went. What failed before says the phase in which it did, and a ping has one alone. */
function timeStep({ outcome, failure }: Result): readonly Step[] {
  if (outcome === null || outcome.kind === "icmp") return [];
  if (failure !== null && failure.phase !== "assertion") return [];
  const { phases } = outcome;
  const parts = phaseNames.flatMap((name) => {
    const elapsed = phases[name];
    return elapsed === null ? [] : [`${name} ${inMillis(elapsed)}`];
  });
  return parts.length === 0 ? [] : [unknown("time", parts.join(", "))];
}

/** A portal sends whoever has not signed in to its own page, and that answers well. */
function redirectStep({ outcome }: Result): readonly Step[] {
  if (outcome?.kind !== "http") return [];
  const [asked, answered] = [outcome.hops[0], outcome.hops.at(-1)].map((hop) =>
    hop === undefined ? "" : new URL(hop.url).host,
  );
  if (asked === answered) return [];
  return [unknown("answer", `it is ${answered}'s, to which ${asked} redirects`)];
}

/** It may be forbidden to go without the proxy: only a connection that is there shows something. */
function directStep({ place }: Result): readonly Step[] {
  const direct = place?.direct ?? null;
  if (direct === null) return [];
  const says = `without the proxy ${directWords(direct)}`;
  return [direct.outcome === "connected" ? well("direct", says) : unknown("direct", says)];
}

/** What the kernel knew of the connection that failed. */
function connectionSteps({ outcome }: Result): readonly Step[] {
  if (outcome === null || outcome.evidence === null) return [];
  const after = `after ${Math.round(nanosToMillis(outcome.total))} ms`;
  const facts = evidenceFacts({ ...outcome.evidence, path: null, onlySmallPass: null }).map(
    ({ label, value }) => `${label === "TCP" ? label : label.toLowerCase()} ${value}`,
  );
  const { path, onlySmallPass } = outcome.evidence;
  return [
    unknown("kernel", `${after}: ${facts.join("; ")}`),
    ...(path === null
      ? []
      : [path.reached ? well("path", pathWords(path)) : unknown("path", pathWords(path))]),
    ...(onlySmallPass === null
      ? []
      : [
          onlySmallPass
            ? broken("packets", sizeWords(onlySmallPass))
            : well("packets", sizeWords(onlySmallPass)),
        ]),
  ];
}
