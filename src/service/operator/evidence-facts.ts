import type { Fact } from "#check/fact";
import type {
  CheckCause,
  CheckDetail,
  CheckEvidence,
} from "#contract/private_location/v1/private_location_pb";
import { placeFacts } from "#check/place-words";
import { pathWords, sizeWords } from "#check/evidence-words";
import { counted } from "#base/text";
import { readHops, readPlace } from "#wire/read-evidence";
import { type ReportedEvidence, withoutAddresses } from "#wire/write-evidence";

/** What the agent concluded of a check that failed, and what it looked up for that. */
export const evidenceFacts = (
  { cause, evidence }: Pick<CheckDetail, "cause" | "evidence">,
  shown: ShownEvidence,
): readonly Fact[] => [
  ...(cause === undefined ? [] : [{ label: "Cause", value: causeWords(cause) }]),
  ...(evidence === undefined
    ? []
    : connectionFacts(shown === "whole" ? evidence : withoutAddresses(evidence))),
];

/** Readers who may only read see no address of the inside of an agent's network. */
export type ShownEvidence = Exclude<ReportedEvidence, "none">;

function causeWords({ certainty, sentence, affected }: CheckCause): string {
  const count = Number(affected);
  const many = count < 2 ? "" : `; ${counted(count, "monitor")} of this agent failed by it then`;
  return `${certainty}: ${sentence}${many}`;
}

function connectionFacts(evidence: CheckEvidence): readonly Fact[] {
  const { path, onlySmallPass } = evidence;
  const seen = kernelWords(evidence);
  const hops = readHops(path);
  const place = readPlace(evidence);
  const reached = hops.some(({ ended }) => ended === "target");
  return [
    ...(seen.length === 0 ? [] : [{ label: "Kernel", value: seen.join("; ") }]),
    ...(hops.length === 0
      ? []
      : [{ label: "Path", value: pathWords({ hops, packets: 0, reached }) }]),
    ...(onlySmallPass === undefined ? [] : [{ label: "Packets", value: sizeWords(onlySmallPass) }]),
    ...(place === null ? [] : placeFacts(place)),
  ];
}

/** What the kernel of the agent's machine knew of the connection when it failed. */
function kernelWords(evidence: CheckEvidence): readonly string[] {
  const { refusedFrom, icmpType, icmpCode, leftNothing, peerHasAll, peer, pathMtu } = evidence;
  const { retransmits, unacknowledged, source, refusedBy } = evidence;
  const refuser = refusedBy === "" ? refusedFrom : `${refusedBy}, ${refusedFrom}`;
  return [
    ...(source === "" ? [] : [`from ${source}`]),
    ...(refusedFrom === "" ? [] : [`refused by ${refuser}, ICMP ${icmpType}/${icmpCode}`]),
    ...(leftNothing ? ["no packet left the agent's machine"] : []),
    ...(peerHasAll ? [`${peer === "proxy" ? "the proxy" : "the host"} has all that was sent`] : []),
    ...(pathMtu === 0n
      ? []
      : [
          `${counted(Number(retransmits), "timeout")}, ${counted(Number(unacknowledged), "packet")} not acknowledged, path MTU ${pathMtu}`,
        ]),
  ];
}
