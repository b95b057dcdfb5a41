import type { Certainty } from "#check/cause";
import type { Dependency } from "#agent/vantage/dependency";
import type { MachineSight, ResolverSight } from "#agent/vantage/machine-sight";
import type { Loss } from "#agent/vantage/packet-loss";
import { lasting } from "#base/duration";
import type { Tally } from "#agent/vantage/tallies";
import { millis, type Millis } from "#base/units";

/** One sentence, without the full stop, for a cause that failures have in common: a router's says how old its routes are. */
export function likelyWords(
  { scope, subject }: Dependency,
  resolvers: readonly ResolverSight[],
  { references, routeAge }: Pick<Tally, "references" | "routeAge">,
): string {
  const too = references.size > 0 ? ", and neither do this agent's references" : "";
  switch (scope) {
    case "machine":
      return `this machine may be at fault: ${subject}`;
    case "link":
      return `nothing behind ${subject} answers${too}`;
    case "gateway":
      return `nothing beyond the gateway ${subject} answers${too}`;
    case "resolver":
      return troubledServers(resolvers) ?? silentServers(subject);
    case "proxy":
      return `the proxy ${subject} fails its targets`;
    case "family":
      return `nothing answers over ${subject}${too}`;
    case "path":
      return `nothing beyond the router ${subject} answers${routeWords(routeAge)}${too}`;
    case "prefix":
      return `nothing in ${subject} answers${too}`;
    case "host":
      return `host ${subject} does not answer`;
    case "port":
      return `nothing works at ${subject}`;
    case "name":
      return `the name ${subject} does not resolve`;
    case "authority":
      return `certificates of ${subject} are refused`;
    case "target":
      return `${subject} fails`;
  }
}

/** What lies behind a router is known from routes of before; the age is of when the router was first blamed. */
const routeWords = (age: Millis | null): string =>
  age === null ? "" : ` (by routes seen up to ${lasting(age)} before)`;

/** What this machine itself says is broken; null if it says no such thing. `hasErred`: a name server, for a check. */
export function provenWords(
  one: Dependency,
  sight: MachineSight,
  hasErred: boolean,
): string | null {
  switch (one.scope) {
    case "link":
      return brokenLink(one.subject, sight);
    case "gateway":
      return isBehindBrokenLink(one, sight) ? null : brokenGateway(one.subject, sight);
    case "resolver":
      return brokenServers(one.subject, sight, hasErred);
    case "machine":
    case "proxy":
    case "family":
    case "path":
    case "prefix":
    case "host":
    case "port":
    case "name":
    case "authority":
    case "target":
      return null;
  }
}

/** A gateway behind a broken link is silent, too: one fault has one name, that of what lies nearer. */
export function isBehindBrokenLink({ scope, subject }: Dependency, sight: MachineSight): boolean {
  if (scope !== "gateway") return false;
  const route = sight.routes.find(({ gateway }) => gateway === subject);
  return route !== undefined && brokenLink(route.device, sight) !== null;
}

function brokenGateway(address: string, sight: MachineSight): string | null {
  const { silentGateways, deadEnds } = sight;
  if (silentGateways.includes(address))
    return `the gateway ${address} does not answer on this network`;
  return deadEnds.includes(address)
    ? `the gateway ${address} passes nothing on: it and the router behind it are silent`
    : null;
}

/** "any" stands for an address that no route leads to: then every link has to be down, or the address is at fault. */
function brokenLink(name: string, { interfaces }: MachineSight): string | null {
  if (name === "any") {
    const down = interfaces.every(({ link }) => link === "no carrier" || link === "switched off");
    return down && interfaces.length > 0 ? "no interface of this machine has a link" : null;
  }
  switch (interfaces.find((one) => one.name === name)?.link) {
    case "no carrier":
      return `${name} has no carrier: its cable or switch is gone`;
    case "switched off":
      return `${name} is switched off`;
    case "up":
    case "unknown":
    case undefined:
      return null;
  }
}

export const unroutedWords = (target: string): string =>
  `no route of this machine leads to ${target}`;

/** Of what a failure itself shows to be at fault. */
export const deadProxyWords = (proxy: string): string => `the proxy ${proxy} cannot be reached`;

/** Of a share of the last seconds in which a control group has no processor for the agent. */
export const throttledWords = (share: number): string =>
  `this machine kept the agent from running for ${Math.round(share * 100)} % of the time`;

/** Of a clock by which good certificates are refused: how far it is ahead of the service's, in milliseconds. */
export const clockWords = (skew: number): string =>
  `this machine's clock is ${lasting(millis(Math.abs(skew)))} ${skew > 0 ? "ahead of" : "behind"} the service's`;

export const narrowWords = (address: string): string =>
  `a link on the way to ${address} drops large packets, and the same check passes with small ones`;

/** Of packets that the kernel wanted to send again, and that never left. */
export const heldBackWords =
  "this machine drops what it sends before that leaves: its own firewall has a rule for it";

/** Of a silence that nothing contradicts. */
export const cutOffWords =
  "this agent itself may be cut off, because nothing has answered it since the check began";

/** What this machine's own counters say is shown with it: whoever reads it can tell a bad cable from a busy line. */
export function lossWords({ lost, checks, hosts }: Loss, sight: MachineSight): string {
  const { resentShare, faultyInterfaces } = sight;
  const resent =
    resentShare === null
      ? ""
      : `; this machine sends ${Math.round(resentShare * 100)} % of its TCP segments again`;
  const faults =
    faultyInterfaces.length === 0 ? "" : `; errors are counted at ${faultyInterfaces.join(", ")}`;
  return `packets may be lost on the way, because ${lost} of the last ${checks} checks got no answer from ${hosts} hosts that answered other checks${resent}${faults}`;
}

/**
 * Null if one of them is well, and where none was asked. One error may be the policy of a server that works for its
 * own zone: if none is silent, errors prove something only if the check's own name met one, too.
 */
function brokenServers(all: string, { resolvers }: MachineSight, hasErred: boolean): string | null {
  if (resolvers.length === 0 || resolvers.some(({ is }) => is === "well")) return null;
  const failing = resolvers.filter(({ is }) => is === "failing").map(({ server }) => server);
  if (failing.length === 0) return silentServers(all);
  if (failing.length === resolvers.length) return hasErred ? failingServers(all) : null;
  const silent = resolvers.filter(({ is }) => is === "silent").map(({ server }) => server);
  const errors = hasErred ? failingServers : erringServers;
  return `${silentServers(silent.join(", "))}, and ${errors(failing.join(", "))}`;
}

/** Those that are silent, or else those that had an error for the one question that we asked; null if all are well. */
export function troubledServers(resolvers: readonly ResolverSight[]): string | null {
  const are = (is: ResolverSight["is"]): readonly string[] =>
    resolvers.flatMap((one) => (one.is === is ? [one.server] : []));
  const silent = are("silent");
  const failing = are("failing");
  const others = are("well").length === 0 ? "" : ", and the others answer too late";
  const words = [
    ...(silent.length === 0 ? [] : [silentServers(silent.join(", "))]),
    ...(failing.length === 0 ? [] : [erringServers(failing.join(", "))]),
  ];
  return words.length === 0 ? null : `${words.join(", and ")}${others}`;
}

/** Of one question, that no name's own servers can be at fault for. */
export const erringServers = (servers: string): string =>
  servers.includes(",")
    ? `the name servers ${servers} answer a question for picket.invalid with an error`
    : `the name server ${servers} answers a question for picket.invalid with an error`;

const failingServers = (servers: string): string =>
  servers.includes(",")
    ? `the name servers ${servers} answer every question with an error`
    : `the name server ${servers} answers every question with an error`;

/** One, or several with commas between. */
export const silentServers = (servers: string): string =>
  servers.includes(",")
    ? `the name servers ${servers} do not answer`
    : `the name server ${servers} does not answer`;

/** `The gateway 10.0.0.1 does not answer on this network; 11 more monitors are affected: …`. */
export function leading(
  { sentence, affected, certainty }: { sentence: string; affected: number; certainty: Certainty },
  message: string,
): string {
  const others = affected - 1;
  const more =
    others < 1 ? "" : `; ${others} more ${others === 1 ? "monitor is" : "monitors are"} affected`;
  const doubt = certainty === "likely" ? "probably " : "";
  return `${doubt}${sentence}${more}: ${message}`;
}
