import type {
  HeartbeatRequest,
  TargetRules,
  VantageCondition,
} from "#contract/private_location/v1/private_location_pb";
import { shownName } from "#base/text";
import { epochMillis, type EpochMillis, millis } from "#base/units";
import { causeScopes } from "#check/cause";
import { kinds } from "#check/monitor";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import * as vantageLimits from "#limits/vantage-limits";
import * as wireLimits from "#limits/wire-limits";
import { firstKinds } from "#service/agents/instances";
import type {
  InstanceReport,
  ReportedCondition,
  ReportedTargets,
} from "#service/store/instance-report";
import { readPlace } from "#wire/read-evidence";

/** What an agent says of itself in a heartbeat, within the bounds of what is kept. */
export const reportIn = (
  request: HeartbeatRequest,
  now: EpochMillis,
  tokenHash: string,
): InstanceReport => ({
  heardAt: now,
  hostname: request.hostname.slice(0, checkLimits.nameCharsMax),
  node: request.node.slice(0, checkLimits.nameCharsMax),
  labels: Object.fromEntries(
    Object.entries(request.labels)
      .slice(0, wireLimits.metadataLabelsMax)
      .map(([label, value]) => [
        label.slice(0, checkLimits.nameCharsMax),
        value.slice(0, checkLimits.descriptionCharsMax),
      ]),
  ),
  version: request.agentVersion.slice(0, checkLimits.nameCharsMax),
  monitorCount: countOf(request.monitorCount),
  resultsWaiting: countOf(request.resultsWaiting),
  checksRun: countOf(request.checksRun),
  clockAhead: request.sentAt === 0n ? null : millis(countOf(request.sentAt) - now),
  missedSlots: countOf(request.missedSlots),
  missedSlotsOwn: countOf(request.missedSlotsOwn),
  resultsGivenUp: countOf(request.resultsGivenUp),
  resultsGivenUpAge: countOf(request.resultsGivenUpAge),
  resultsGivenUpRoom: countOf(request.resultsGivenUpRoom),
  resultsRejected: countOf(request.resultsRejected),
  resultsUnassigned: countOf(request.resultsUnassigned),
  spells: [],
  conditions: request.conditions.slice(0, vantageLimits.conditionsMax).flatMap(conditionIn),
  warnings: request.warnings.slice(0, vantageLimits.conditionsMax).flatMap(conditionIn),
  remarks: request.remarks
    .slice(0, wireLimits.beatRemarksMax)
    .map((remark) => shownName(remark, wireLimits.beatRemarkCharsMax)),
  kinds:
    request.kinds.length === 0 ? firstKinds : kinds.filter((one) => request.kinds.includes(one)),
  targets: targetsIn(request.targets),
  signedFor: request.signedFor.slice(0, checkLimits.nameCharsMax),
  tokenHash,
});

/** Entries past what an agent of ours sends are as good as none. */
function targetsIn(targets: TargetRules | undefined): ReportedTargets | null {
  if (targets === undefined) return null;
  const { allow, deny, isCut } = targets;
  const chars = [...allow, ...deny].reduce((sum, entry) => sum + entry.length, 0);
  if (chars > wireLimits.beatTargetsCharsMax) return { allow: [], deny: [], isCut: true };
  return { allow: [...allow], deny: [...deny], isCut };
}

function conditionIn({
  cause,
  recovering,
  evidence,
}: VantageCondition): readonly ReportedCondition[] {
  const scope = causeScopes.find((one) => one === cause?.scope);
  if (cause === undefined || scope === undefined) return [];
  return [
    {
      scope,
      subject: cause.subject.slice(0, limits.resultMessageCharsMax),
      causeId: cause.causeId.slice(0, checkLimits.nameCharsMax),
      sentence: cause.sentence.slice(0, limits.resultMessageCharsMax),
      since: epochMillis(countOf(cause.since)),
      affected: countOf(cause.affected),
      recovering,
      place: evidence === undefined ? null : readPlace(evidence),
    },
  ];
}

/** A count that an agent reports; one that no agent can have becomes the nearest that can be stored and shown. */
export const countOf = (reported: bigint): number =>
  Math.min(Math.max(0, Number(reported)), Number.MAX_SAFE_INTEGER);
