import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuditProof as AuditProofMessage,
  HeartbeatRequestSchema,
  HeartbeatResponse,
} from "#contract/private_location/v1/private_location_pb";
import { kinds } from "#check/monitor";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { shownName } from "#base/text";
import { type Instance, placements } from "#transport/instance";
import type { AuditProof, Beat, HeartbeatAnswer } from "#transport/control-plane";
import type { TargetRule } from "#network/target-rules";
import { epochMillis, millis } from "#base/units";
import { causeMessage } from "#wire/write-cause";
import { placeMessage } from "#wire/write-evidence";
import { pathMessage } from "#wire/write-path";
import { readRevision } from "#wire/read-assignment";

/** A heartbeat as the wire has it. */
export function heartbeatRequest(
  beat: Beat,
  instance: Instance,
): MessageInitShape<typeof HeartbeatRequestSchema> {
  return {
    instanceId: instance.id,
    agentVersion: instance.version,
    hostname: instance.hostname,
    node: instance.node,
    labels: { ...instance.labels },
    placement: placements[instance.placement],
    leaving: beat.leaving,
    startedAt: BigInt(beat.startedAt),
    monitorCount: BigInt(beat.monitorCount),
    checksRun: BigInt(beat.checksRun),
    resultsWaiting: BigInt(beat.resultsWaiting),
    oldestWaitingAgeMs: BigInt(Math.round(beat.oldestWaitingAge)),
    sentAt: BigInt(beat.sentAt),
    missedSlots: BigInt(beat.missedSlots),
    missedSlotsOwn: BigInt(beat.missedSlotsOwn),
    resultsGivenUp: BigInt(beat.resultsGivenUp),
    resultsGivenUpAge: BigInt(beat.resultsGivenUpAge),
    resultsGivenUpRoom: BigInt(beat.resultsGivenUpRoom),
    resultsRejected: BigInt(beat.resultsRejected),
    resultsUnassigned: BigInt(beat.resultsUnassigned),
    uncertainResults: BigInt(beat.uncertainResults),
    probeLoopLagUs: BigInt(Math.round(beat.errorBarMax / 1e3)),
    revision: beat.revision ?? "",
    conditions: beat.conditions.map(conditionMessage),
    warnings: beat.warnings.map((cause) => ({ cause: causeMessage(cause), recovering: false })),
    kinds: [...kinds],
    signedFor: instance.signedFor ?? "",
    auditKnown: BigInt(beat.auditKnown),
    ...targetsMessage(beat.targetRules),
    paths: beat.paths.map(({ path, monitorIds }) => pathMessage(path, monitorIds)),
    remarks: boundedRemarks(beat.remarks),
  };
}

const boundedRemarks = (remarks: readonly string[]): string[] =>
  remarks
    .slice(0, limits.beatRemarksMax)
    .map((remark) => shownName(remark, limits.beatRemarkCharsMax));

const conditionMessage = ({ cause, state, place }: Beat["conditions"][number]) => ({
  cause: causeMessage(cause),
  recovering: state === "recovering",
  evidence: placeMessage(place),
});

/** Nothing of an agent without rules, so that its heartbeat stays as small as it was. */
function targetsMessage({
  allow,
  deny,
}: Beat["targetRules"]): MessageInitShape<typeof HeartbeatRequestSchema> {
  if (allow.length + deny.length === 0) return {};
  const room = { left: limits.beatTargetsCharsMax };
  const targets = { allow: entriesOf(allow, room), deny: entriesOf(deny, room) };
  const isCut = targets.allow.length + targets.deny.length < allow.length + deny.length;
  return { targets: { ...targets, isCut } };
}

function entriesOf(rules: readonly TargetRule[], room: { left: number }): string[] {
  const entries = rules.map(({ entry }) => entry);
  const kept = entries.filter((entry) => (room.left -= entry.length) >= 0);
  return kept;
}

/** What the service answers to one. Its words go to logs, pages and every metric, so they are bounded and harmless. */
export const readHeartbeat = (answer: HeartbeatResponse): HeartbeatAnswer => ({
  serverTime: epochMillis(Number(answer.serverTime)),
  locationId: word(answer.locationId),
  locationName: word(answer.locationName),
  locationMetadata: Object.fromEntries(
    Object.entries(answer.locationMetadata)
      .slice(0, limits.metadataLabelsMax)
      .map(([name, value]) => [word(name), word(value)]),
  ),
  revision: readRevision(answer.revision),
  nextHeartbeat: answer.nextHeartbeatMs > 0n ? millis(Number(answer.nextHeartbeatMs)) : null,
  audit: answer.audit === undefined ? null : readProof(answer.audit),
});

/** Null is no proof. What is no head of a chain continues none, so that it is noticed. */
function readProof({ number, chain, hashes }: AuditProofMessage): AuditProof | null {
  // The next heartbeat names this number, and can name no other.
  if (number < 0n || number > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return {
    number: Number(number),
    chain: word(chain),
    hashes: hashes.slice(0, limits.auditHashesMax),
  };
}

const word = (text: string): string => shownName(text, checkLimits.nameCharsMax);
