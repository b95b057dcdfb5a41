import type { GatewayWay } from "#agent/looks/gateway-questions";
import type { PathTrace } from "#check/evidence";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { PathEnd } from "#probes/socket/socket-calls";
import { type MachineSight, wayTo } from "#agent/vantage/machine-sight";
import { isWorthTrace } from "#agent/vantage/way-trace";

/** A result with how far packets to the end of its failed connection come, where a trace can say more of it. */
export async function withPath(
  result: Result,
  sight: MachineSight,
  signal: AbortSignal,
  trace: (end: PathEnd, hopsMax: number) => Promise<PathTrace | null>,
): Promise<Result> {
  const { outcome } = result;
  const evidence = outcome?.evidence ?? null;
  if (outcome === null || evidence === null) return result;
  if (!isWorthTrace(evidence, sight) || signal.aborted) return result;
  const path = await trace(traceEnd(evidence), limits.traceHopsMax);
  return { ...result, outcome: { ...outcome, evidence: { ...evidence, path } } };
}

/** The end of a check's connection, where that lies behind a gateway; datagrams have none. */
export function gatewayWayOf(
  { outcome }: Pick<Result, "outcome">,
  { routes }: MachineSight,
): GatewayWay | null {
  if (outcome === null || outcome.kind === "dns") return null;
  const { evidence, addresses } = outcome;
  const end =
    evidence ?? addresses.findLast(({ ended }) => ended === "connected") ?? addresses.at(-1);
  if (end === undefined) return null;
  const way = wayTo(end.address, routes);
  if (way.is !== "out" || way.gateway === null) return null;
  return { gateway: way.gateway, end: traceEnd(end) };
}

/** A ping has no port: the packets of its trace are for the port of echoes by TCP (RFC 862), whoever listens there. */
const traceEnd = ({ address, port }: PathEnd): PathEnd => ({
  address,
  port: port === 0 ? echoPort : port,
});
const echoPort = 7;
