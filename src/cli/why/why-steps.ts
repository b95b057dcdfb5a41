import { evidenceFacts, pathWords, sizeWords } from "#check/evidence-words";
import { directWords } from "#check/place-words";
import type { Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { showHostPort } from "#network/host-port";
import type { Reference } from "#prober/prober";
import { nanosToMillis } from "#units";
import type { MachineSight, Way } from "#vantage/machine-sight";
import type { Observation } from "#vantage/observation";

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
  readonly seen: Observation | null;
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
  ...nameSteps(found.sight),
  ...found.references.map(referenceStep),
  ...loadStep(found.sight),
  checkStep(found.result),
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

function gatewayStep({ way, sight, seen, result }: WhyFacts): readonly Step[] {
  if (way === null || way.is !== "out" || way.gateway === null) return [];
  const { gateway } = way;
  if (sight.silentGateways.includes(gateway))
    return [broken("gateway", `${gateway} does not answer on this network`)];
  const passed =
    isPassed(result) || (seen?.cleared.some((one) => one.scope === "gateway") ?? false);
  return passed
    ? [well("gateway", `packets came back through ${gateway}`)]
    : [unknown("gateway", `${gateway} is known on this network, and nothing came back through it`)];
}

/** Whether a router answered: all before it, the gateway among it, passes packets on. */
export const isPassed = ({ outcome }: Result): boolean =>
  (outcome?.evidence?.path?.hops ?? []).some(({ ended }) => ended !== "silence");

/** A silence of its own proves nothing. */
function referenceStep({ reference, outcome: { failure } }: ReferenceLook): Step {
  const where = showHostPort(reference.host, reference.port);
  return failure === null
    ? well("reference", `${where} answers`)
    : unknown("reference", `${where} does not answer: ${failure.message}`);
}

const nameSteps = ({ resolvers }: MachineSight): readonly Step[] =>
  resolvers.map(({ server, answers }) =>
    answers
      ? well("name server", `${server} answers`)
      : broken("name server", `${server} does not answer`),
  );

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

function checkStep({ failure, latency }: Result): Step {
  return failure === null
    ? well("check", `passes in ${latency} ms`)
    : broken("check", `${failure.code} in ${failure.phase}: ${failure.message}`);
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
