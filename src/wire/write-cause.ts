import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Cause } from "#check/cause";
import { type ConnectionEvidence, leftNothing, peerHasAll } from "#check/evidence";
import type {
  CheckCauseSchema,
  CheckEvidenceSchema,
} from "#contract/private_location/v1/private_location_pb";

/** A cause as the wire has it. */
export const causeMessage = ({
  scope,
  subject,
  certainty,
  since,
  id,
  sentence,
  affected,
}: Cause): MessageInitShape<typeof CheckCauseSchema> => ({
  scope,
  subject,
  certainty,
  since: BigInt(since),
  causeId: id,
  sentence,
  affected: BigInt(affected),
});

/** Without the addresses of routers, which describe the inside of a network, unless they were asked for. */
export const evidenceMessage = (
  evidence: ConnectionEvidence,
): MessageInitShape<typeof CheckEvidenceSchema> => {
  const { refusedBy, tcp, peer, path, onlySmallPass } = evidence;
  return {
    peer,
    path: (path?.hops ?? []).map(({ ttl, address, ended }) => ({
      ttl,
      ended,
      address: address ?? "",
    })),
    leftNothing: leftNothing(evidence),
    peerHasAll: peerHasAll(evidence),
    ...(onlySmallPass === null ? {} : { onlySmallPass }),
    ...(refusedBy === null
      ? {}
      : { refusedFrom: refusedBy.from, icmpType: refusedBy.type, icmpCode: refusedBy.code }),
    ...(tcp === null
      ? {}
      : {
          retransmits: BigInt(tcp.retransmits),
          unacknowledged: BigInt(tcp.unacknowledged),
          pathMtu: BigInt(tcp.pathMtu),
        }),
  };
};
