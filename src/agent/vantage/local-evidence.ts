import type {
  GatewayState,
  LocalEvidence,
  PlaceEvidence,
  ResolverAnswer,
} from "#check/place-evidence";
import type { Outcome } from "#check/outcome";
import { millis } from "#base/units";
import type { Dependency } from "#agent/vantage/dependency";
import { type MachineSight, type Way, wayTo } from "#agent/vantage/machine-sight";

/** What a machine says of the first step to what a check dialled, or to the name server that it asked. */
export function evidenceOnWay(
  outcome: Outcome | null,
  resolver: string | null,
  sight: MachineSight,
): LocalEvidence {
  const dialled = outcome?.evidence?.address ?? outcome?.addresses.at(-1)?.address ?? resolver;
  return ofWay(dialled === null ? null : wayTo(dialled, sight.routes), sight);
}

/** What it says of a part of its own place that is broken. */
export const evidenceOfPlace = (
  broken: Dependency,
  sight: MachineSight,
  resolvers: readonly ResolverAnswer[],
): PlaceEvidence => ({
  resolvers,
  local: localOf(broken, sight),
  direct: null,
  took: millis(0),
  pathChange: null,
  leftOut: 0,
});

function localOf({ scope, subject }: Dependency, sight: MachineSight): LocalEvidence {
  const isGateway = scope === "gateway";
  const device = isGateway
    ? sight.routes.find(({ gateway }) => gateway === subject)?.device
    : sight.interfaces.find(({ name }) => scope === "link" && name === subject)?.name;
  if (device === undefined) return ofWay(null, sight);
  return ofWay({ is: "out", device, gateway: isGateway ? subject : null }, sight);
}

function ofWay(way: Way | null, sight: MachineSight): LocalEvidence {
  const { throttledShare, pressureShare } = sight;
  const nowhere = {
    device: null,
    carrier: "unknown",
    gateway: null,
    gatewayState: "unknown",
  } as const;
  const busy = { throttledShare, pressureShare };
  if (way === null) return { ...nowhere, ...busy, route: "unknown" };
  if (way.is !== "out") return { ...nowhere, ...busy, route: way.is };
  const { device, gateway } = way;
  const carrier = sight.interfaces.find(({ name }) => name === device)?.link ?? "unknown";
  return {
    device,
    carrier,
    route: gateway === null ? "network" : "gateway",
    gateway,
    gatewayState: gateway === null ? "unknown" : stateOf(gateway, sight),
    ...busy,
  };
}

/** Of IPv6 no file says whether a gateway is silent. */
function stateOf(gateway: string, { silentGateways, deadEnds }: MachineSight): GatewayState {
  if (silentGateways.includes(gateway)) return "silent";
  if (deadEnds.includes(gateway)) return "dead end";
  return gateway.includes(":") ? "unknown" : "believed";
}
