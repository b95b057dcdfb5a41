import type {
  CheckEvidence,
  DirectConnection,
  PathChange,
  PathHop as WireHop,
} from "#contract/private_location/v1/private_location_pb";
import { type PathHop, pathEnds } from "#check/evidence";
import {
  carriers,
  type DirectLook,
  gatewayStates,
  type PlaceEvidence,
  resolverOutcomes,
  routeKinds,
} from "#check/place-evidence";
import type { SaidChange } from "#check/known-path";
import { isFailureCode } from "#check/failure";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/vantage-limits";
import { cutText } from "#base/text";
import { readChange } from "#wire/read-path";
import { millis, nanos, type Nanos } from "#base/units";

/** What an agent's machine said of itself; null if the agent does not send it. Words that we do not know are left out. */
export function readPlace({
  local,
  resolvers,
  direct,
  pathChange,
  pathTo,
  tookMs,
  leftOut,
}: CheckEvidence): PlaceEvidence | null {
  if (local === undefined) return null;
  return {
    resolvers: resolvers.slice(0, limits.resolversReadMax).flatMap(({ server, outcome, rttUs }) => {
      const how = resolverOutcomes.find((one) => one === outcome);
      return how === undefined
        ? []
        : [{ server: bounded(server), outcome: how, roundTrip: readRoundTrip(rttUs) }];
    }),
    local: {
      device: local.device === "" ? null : bounded(local.device),
      carrier: carriers.find((one) => one === local.carrier) ?? "unknown",
      route: routeKinds.find((one) => one === local.route) ?? "unknown",
      gateway: local.gateway === "" ? null : bounded(local.gateway),
      gatewayState: gatewayStates.find((one) => one === local.gatewayState) ?? "unknown",
      throttledShare: local.throttledShare ?? null,
      pressureShare: local.pressureShare ?? null,
    },
    direct: direct === undefined ? null : readDirect(direct),
    took: millis(Number(tookMs)),
    pathChange: readPathChange(pathChange, pathTo),
    leftOut: Number(leftOut),
  };
}

function readPathChange(sent: PathChange | undefined, to: string): SaidChange | null {
  const change = sent === undefined ? null : readChange(sent);
  return change === null ? null : { change, to: to === "" ? null : bounded(to) };
}

function readDirect({ address, outcome }: DirectConnection): DirectLook | null {
  const how = outcome === "connected" || isFailureCode(outcome) ? outcome : null;
  return how === null ? null : { address: address === "" ? null : bounded(address), outcome: how };
}

/** The hops of a path that we have words for. */
export const readHops = (path: readonly WireHop[]): readonly PathHop[] =>
  path.slice(0, limits.traceHopsMax).flatMap(({ ttl, address, ended, rttUs, icmp }) => {
    const how = pathEnds.find((one) => one === ended);
    return how === undefined
      ? []
      : [
          {
            ttl,
            address: address === "" ? null : bounded(address),
            ended: how,
            roundTrip: readRoundTrip(rttUs),
            icmp: icmpKind.test(icmp) ? icmp : null,
          },
        ];
  });

/** Type and code, each a byte. */
const icmpKind = /^\d{1,3}\/\d{1,3}$/;

const readRoundTrip = (micros: bigint | undefined): Nanos | null =>
  micros === undefined || micros < 0n ? null : nanos(Number(micros) * 1e3);

const bounded = (text: string): string => cutText(text, checkLimits.nameCharsMax);
