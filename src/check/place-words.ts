import type { Fact } from "#check/fact";
import type {
  DirectLook,
  LocalEvidence,
  PlaceEvidence,
  ResolverAnswer,
} from "#check/place-evidence";
import { saidChangeFact } from "#check/path-words";
import { roundTripWords } from "#check/evidence-words";
import { counted } from "#base/text";

/** What a machine and its name servers said when a check failed, for whoever looks at that one check. */
export const placeFacts = ({
  resolvers,
  local,
  direct,
  pathChange,
  took,
  leftOut,
}: PlaceEvidence): readonly Fact[] => [
  { label: "Machine", value: localWords(local) },
  ...(resolvers.length === 0
    ? []
    : [{ label: "Name servers", value: resolvers.map(resolverWords).join(", ") }]),
  ...(direct === null ? [] : [{ label: "Without the proxy", value: directWords(direct) }]),
  ...(pathChange === null ? [] : [{ label: "Path changed", value: saidChangeFact(pathChange) }]),
  {
    label: "Looked up",
    value: `in ${took} ms${leftOut === 0 ? "" : `; ${counted(leftOut, "thing")} left out: the limits allowed no more`}`,
  },
];

/** `eth0 is up, by the gateway 10.0.0.1; throttled for 30 % of the time`. */
function localWords(local: LocalEvidence): string {
  const { device, carrier, throttledShare, pressureShare } = local;
  const busy = [
    ...shareWords("throttled", throttledShare),
    ...shareWords("too busy to run", pressureShare),
  ];
  const link = device === null ? [] : [`${device} ${carrierWords[carrier]}`];
  return [[...link, routeWords(local)].join(", "), ...busy].join("; ");
}

const carrierWords: { readonly [C in LocalEvidence["carrier"]]: string } = {
  up: "is up",
  "no carrier": "has no carrier",
  "switched off": "is switched off",
  unknown: "does not say whether it has a carrier",
};

function routeWords({ route, gateway, gatewayState }: LocalEvidence): string {
  switch (route) {
    case "here":
      return "the address is this machine's";
    case "none":
      return "no route leads there";
    case "network":
      return "in this network";
    case "gateway":
      return `by ${gateway === null ? "a gateway" : `the gateway ${gateway}`}${gatewayWords[gatewayState]}`;
    case "unknown":
      return "nothing was dialled";
  }
}

const gatewayWords: { readonly [S in LocalEvidence["gatewayState"]]: string } = {
  believed: "",
  silent: ", which does not answer on this network",
  "dead end": ", which passes nothing on",
  unknown: "",
};

/** Left out if its rounded share is 0 %. */
function shareWords(what: string, share: number | null): readonly string[] {
  const percent = Math.round((share ?? 0) * 100);
  return percent === 0 ? [] : [`${what} for ${percent} % of the time`];
}

/** It may be forbidden to go without the proxy, so only a connection that is there shows anything. */
export function directWords({ address, outcome }: DirectLook): string {
  const what = address ?? "the target";
  return outcome === "connected"
    ? `${what} accepts a connection`
    : `${what} cannot be reached: ${outcome}`;
}

function resolverWords({ server, outcome, roundTrip }: ResolverAnswer): string {
  const name = server === "" ? "one" : server;
  switch (outcome) {
    case "answered":
      return `${name} answers${roundTripWords(roundTrip)}`;
    case "failing":
      return `${name} answers with an error`;
    case "unreachable":
      return `${name} cannot be reached`;
    case "silent":
      return `${name} is silent`;
  }
}
