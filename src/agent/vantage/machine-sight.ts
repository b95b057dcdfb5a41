import * as limits from "#limits/vantage-limits";
import type { Carrier } from "#check/place-evidence";
import { covers, type Block, writtenAddress } from "#network/address-block";

/** What this machine's own files say at one moment: plain values, so that a test can write any. */
export interface MachineSight {
  /** Every interface but loopback's. */
  readonly interfaces: readonly InterfaceSight[];
  readonly routes: readonly Route[];
  /** Gateways whose hardware address the kernel looks for in vain. */
  readonly silentGateways: readonly string[];
  /** Gateways that the kernel believes in, while they and the routers behind them no longer answer. */
  readonly deadEnds: readonly string[];
  /** The share of the last seconds in which the control group kept this process from running; null if unknown. */
  readonly throttledShare: number | null;
  /** The share of the last ten seconds in which something waited for the processor; null if unknown. */
  readonly pressureShare: number | null;
  /** The share of all TCP segments since the last look that this machine sent again; null if unknown. */
  readonly resentShare: number | null;
  /** Interfaces that counted errors since the last look. */
  readonly faultyInterfaces: readonly string[];
  /** Name servers that were asked side by side; empty if none was. */
  readonly resolvers: readonly ResolverSight[];
  /** Segments that this machine itself did not let out when it sent them again, since it started; null if unknown. */
  readonly heldBack: number | null;
  /** How far this machine's clock is from the service's, in milliseconds; null if unknown. */
  readonly clockSkew: number | null;
}

export interface InterfaceSight {
  readonly name: string;
  readonly link: Carrier;
}

export interface Route {
  readonly block: Block;
  readonly device: string;
  /** Null for a network that begins at the interface. */
  readonly gateway: string | null;
  readonly metric: number;
}

export interface ResolverSight {
  readonly server: string;
  /** "failing" answers with an error, also if none can be a name's own. */
  readonly is: "well" | "failing" | "silent";
}

/** The first step to an address: nowhere beyond this machine, by no route, or out of an interface. */
export type Way =
  | { readonly is: "here" }
  | { readonly is: "none" }
  | { readonly is: "out"; readonly device: string; readonly gateway: string | null };

/** What was found of each address, for as long as the routes are the same: every result asks for a few of them. */
const found = new WeakMap<readonly Route[], Map<string, Way>>();

export function wayTo(address: string, routes: readonly Route[]): Way {
  const ways = found.getOrInsertComputed(routes, () => new Map<string, Way>());
  const known = ways.get(address);
  if (known !== undefined) return known;
  const way = wayBy(address, routes);
  if (ways.size < limits.firstStepsKeptMax) ways.set(address, way);
  return way;
}

/** Longest prefix first, then the lowest metric, as the kernel chooses. */
function wayBy(address: string, routes: readonly Route[]): Way {
  const written = writtenAddress(address.replace(/%.*$/, ""));
  if (written === null) return { is: "none" };
  if (isLoopback(written)) return { is: "here" };
  const [best] = routes
    .filter(({ block }) => covers(block, written))
    .toSorted((a, b) => b.block.prefix - a.block.prefix || a.metric - b.metric);
  if (best === undefined) return { is: "none" };
  if (best.device === "lo") return { is: "here" };
  return { is: "out", device: best.device, gateway: best.gateway };
}

function isLoopback({ width, value }: NonNullable<ReturnType<typeof writtenAddress>>): boolean {
  return width === 32 ? value >> 24n === 127n : value === 1n;
}

/** `10.0.0.0/24`, or `fd00::/64`: what a router that dies mostly takes with it. */
export function neighbourhoodOf(address: string): string {
  if (!address.includes(":")) return address.replace(/\.\d+$/, ".0/24");
  const written = writtenAddress(address);
  if (written === null) return address;
  const groups = [112n, 96n, 80n, 64n].map((shift) =>
    ((written.value >> shift) & 0xffffn).toString(16),
  );
  return `${new URL(`http://[${groups.join(":")}::]`).hostname.slice(1, -1)}/64`;
}

export const blindSight: MachineSight = {
  interfaces: [],
  routes: [],
  silentGateways: [],
  deadEnds: [],
  throttledShare: null,
  pressureShare: null,
  resentShare: null,
  faultyInterfaces: [],
  resolvers: [],
  heldBack: null,
  clockSkew: null,
};
