import type { EpochMillis } from "#base/units";

/** What can be at fault for a failed check, from this machine outwards to the target. */
export const causeScopes = [
  "machine",
  "link",
  "gateway",
  "resolver",
  "proxy",
  "family",
  "path",
  "prefix",
  "host",
  "port",
  "name",
  "authority",
  "target",
] as const;
export type CauseScope = (typeof causeScopes)[number];

/**
 * How sure we are. "proven": a direct look says so, and nothing came through since. "likely": what fails has this in
 * common, and nothing else. "possible": it may as well be a fault of the target.
 */
export type Certainty = "proven" | "likely" | "possible";

/** What we conclude from the evidence of failures. The failure itself stays what was seen. */
export interface Cause {
  readonly scope: CauseScope;
  /** Which one: an interface, an address, a server. */
  readonly subject: string;
  readonly certainty: Certainty;
  readonly since: EpochMillis;
  /** The same for all monitors that fail by it. */
  readonly id: string;
  /** One plain sentence, without the full stop. */
  readonly sentence: string;
  /** How many monitors fail by it now. */
  readonly affected: number;
}

/**
 * Whether a target had no chance to answer: the fault is proven, and lies between the probe and the first router. Such a
 * slot is missed, for nothing was learned of the target.
 */
export const hidesTarget = ({ scope, certainty }: Pick<Cause, "scope" | "certainty">): boolean =>
  certainty === "proven" && (scope === "machine" || scope === "link" || scope === "gateway");

/** Whether what a check sees says nothing of its target: the fault is proven, and lies at the agent's own place. */
export const excuses = ({ scope, certainty }: Pick<Cause, "scope" | "certainty">): boolean =>
  certainty === "proven" &&
  (hidesTarget({ scope, certainty }) ||
    scope === "resolver" ||
    scope === "proxy" ||
    scope === "family");

/** Whether the fault lies at the target itself or what only it needs: then what the check saw says it best. */
export function isTargetsOwn(scope: CauseScope): boolean {
  switch (scope) {
    case "host":
    case "port":
    case "name":
    case "authority":
    case "target":
      return true;
    case "machine":
    case "link":
    case "gateway":
    case "resolver":
    case "proxy":
    case "family":
    case "path":
    case "prefix":
      return false;
  }
}

/** What to do about each, for whoever looks after it. */
export const remedies: { readonly [S in CauseScope]: string } = {
  machine:
    "check this machine: its firewall's rules, its routes, its clock, its limits and its load",
  link: "check the cable, the switch and the interface of this machine",
  gateway: "check that the gateway is on and has that address: ip neigh shows the entry",
  resolver: "check the name servers, or set PICKET_DNS_SERVERS to others",
  proxy: "check that the proxy runs, or set PICKET_TARGET_PROXY to another",
  family: "check this machine's routes of that family",
  path: "check that router and the network behind it",
  prefix: "check the router of that network",
  host: "check that the host is on",
  port: "check what should listen there",
  name: "ask whoever runs the zone",
  authority: "check the authority that issued the certificates",
  target: "check the target",
};
