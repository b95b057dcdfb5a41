import { create, toBinary } from "@bufbuild/protobuf";
import {
  type CheckEvidence,
  CheckEvidenceSchema,
} from "#contract/private_location/v1/private_location_pb";
import { type ConnectionEvidence, leftNothing, peerHasAll } from "#check/evidence";
import type { LocalEvidence, PlaceEvidence } from "#check/place-evidence";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import { changeMessage } from "#wire/write-path";
import type { Nanos } from "#base/units";

/** How much of a failure's evidence goes to the service. Addresses describe the inside of a network. */
export type ReportedEvidence = "none" | "without addresses" | "whole";

/** The evidence of a result as a field of its detail; nothing if there is none. */
export function evidenceField(
  { outcome, place }: Pick<Result, "outcome" | "place">,
  reported: Exclude<ReportedEvidence, "none">,
): { readonly evidence?: CheckEvidence } {
  const connection = outcome?.evidence ?? null;
  if (connection === null && place === null) return {};
  const whole = create(CheckEvidenceSchema, {
    ...(connection === null ? {} : connectionFields(connection)),
    ...(place === null ? {} : placeFields(place)),
  });
  return { evidence: fitting(reported === "whole" ? whole : withoutAddresses(whole)) };
}

/** What a broken place says of itself, without the addresses in it. */
export const placeMessage = (place: PlaceEvidence): CheckEvidence =>
  fitting(withoutAddresses(create(CheckEvidenceSchema, placeFields(place))));

/** The same facts, but for whoever shall not know the inside of the agent's network. */
export const withoutAddresses = (evidence: CheckEvidence): CheckEvidence => ({
  ...evidence,
  source: "",
  refusedBy: "",
  path: evidence.path.map((hop) => ({ ...hop, address: "" })),
  resolvers: evidence.resolvers.map((one) => ({ ...one, server: "" })),
  ...(evidence.direct === undefined ? {} : { direct: { ...evidence.direct, address: "" } }),
  ...(evidence.pathChange === undefined
    ? {}
    : { pathChange: { ...evidence.pathChange, gone: "", came: "" } }),
  pathTo: "",
  ...(evidence.local === undefined ? {} : { local: { ...evidence.local, gateway: "" } }),
});

/** The name servers go first, then the furthest hops: what is near this machine says most. */
function fitting(evidence: CheckEvidence): CheckEvidence {
  if (toBinary(CheckEvidenceSchema, evidence).length <= limits.evidenceBytesMax) return evidence;
  const { resolvers, path, leftOut } = evidence;
  const shorter =
    resolvers.length > 0 ? { resolvers: resolvers.slice(0, -1) } : { path: path.slice(0, -1) };
  if (resolvers.length + path.length === 0) return create(CheckEvidenceSchema, { leftOut });
  return fitting({ ...evidence, ...shorter, leftOut: leftOut + 1n });
}

function connectionFields(evidence: ConnectionEvidence) {
  const { refusedBy, tcp, peer, path, onlySmallPass, source } = evidence;
  const hops = path?.hops ?? [];
  return {
    peer,
    source: source ?? "",
    path: hops.map(({ ttl, address, ended, roundTrip, icmp }) => ({
      ttl,
      ended,
      address: address ?? "",
      ...roundTripField(roundTrip),
      icmp: icmp ?? "",
    })),
    leftNothing: leftNothing(evidence),
    peerHasAll: peerHasAll(evidence),
    ...(onlySmallPass === null ? {} : { onlySmallPass }),
    ...(refusedBy === null
      ? {}
      : {
          refusedFrom: refusedBy.from,
          refusedBy: refusedBy.sender,
          icmpType: refusedBy.type,
          icmpCode: refusedBy.code,
        }),
    ...(tcp === null
      ? {}
      : {
          tcpState: tcp.state,
          retransmits: BigInt(tcp.retransmits),
          retransmittedInAll: BigInt(tcp.retransmittedInAll),
          unacknowledged: BigInt(tcp.unacknowledged),
          pathMtu: BigInt(tcp.pathMtu),
        }),
  };
}

const placeFields = ({ resolvers, local, direct, pathChange, took, leftOut }: PlaceEvidence) => ({
  ...(pathChange === null
    ? {}
    : { pathChange: changeMessage(pathChange.change), pathTo: pathChange.to ?? "" }),
  ...(direct === null ? {} : { direct: { ...direct, address: direct.address ?? "" } }),
  resolvers: resolvers.map(({ server, outcome, roundTrip }) => ({
    server,
    outcome,
    ...roundTripField(roundTrip),
  })),
  local: localFields(local),
  tookMs: BigInt(took),
  leftOut: BigInt(leftOut),
});

const roundTripField = (roundTrip: Nanos | null): { readonly rttUs?: bigint } =>
  roundTrip === null ? {} : { rttUs: BigInt(Math.round(roundTrip / 1e3)) };

const localFields = ({
  device,
  carrier,
  route,
  gateway,
  gatewayState,
  throttledShare,
  pressureShare,
}: LocalEvidence) => ({
  device: device ?? "",
  carrier,
  route,
  gateway: gateway ?? "",
  gatewayState,
  ...(throttledShare === null ? {} : { throttledShare }),
  ...(pressureShare === null ? {} : { pressureShare }),
});
