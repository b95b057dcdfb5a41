import { remedies } from "#check/cause";
import type { Presence } from "#alerting/presence";
import { undecided } from "#service/alerts/location-alerts";
import {
  type FaultWords,
  numberOf,
  type PlaceFault,
  type Surroundings,
} from "#service/alerts/place-faults";
import type { StoredInstance } from "#service/instances";
import type { LocationId } from "#store/ids";
import type { ReportedCondition } from "#store/instance-report";
import { capital, counted } from "#text";

/** What is broken at a location itself, by what its agents say. */
export function vantageFaults(
  location: LocationId,
  agents: readonly StoredInstance[],
): readonly PlaceFault[] {
  const faults = new Map<number, PlaceFault>();
  for (const { live, report } of agents)
    for (const condition of report.conditions) {
      const { scope, subject } = condition;
      const id = numberOf(location, `${scope} ${subject}`);
      // Two agents of a location see the same gateway: whoever says that it is gone is believed.
      if (faults.get(id)?.presence?.isError === true) continue;
      faults.set(id, {
        subject: { kind: "vantage", id },
        presence: live ? presenceOf(condition) : null,
        words: (there) => wordsOf(condition, there),
      });
    }
  return [...faults.values()];
}

/** Whether no agent of a location can see. */
export function isBlind(agents: readonly StoredInstance[]): boolean {
  const live = agents.filter((one) => one.live);
  return live.length > 0 && live.every(isImpaired);
}

const presenceOf = ({ recovering, since }: ReportedCondition): Presence =>
  recovering ? undecided : { ...undecided, isError: true, isTrouble: true, troubleSince: since };

const isImpaired = ({ report }: StoredInstance): boolean =>
  report.conditions.some(({ recovering }) => !recovering);

function wordsOf(condition: ReportedCondition, { active, live, blind }: Surroundings): FaultWords {
  const isReplaced = live.some((agent) => !isImpaired(agent));
  const unseen = active.filter((row) => row.locations.every((one) => blind.has(one))).length;
  return {
    trouble: "vantage",
    urgency: isReplaced ? "warning" : unseen > 0 ? "critical" : "error",
    message: messageOf(condition, { active: active.length, unseen, isReplaced }),
  };
}

function messageOf(
  { sentence, affected, scope }: ReportedCondition,
  { active, unseen, isReplaced }: { active: number; unseen: number; isReplaced: boolean },
): string {
  const hidden = `So far ${affected} of ${counted(active, "monitor")} ${affected === 1 ? "is" : "are"} not measured there.`;
  const others = isReplaced
    ? "Another agent of the location takes them over."
    : unseen === 0
      ? "Other locations measure all of them."
      : `No other location measures ${unseen} of them: what lies behind the fault is unknown.`;
  return `${capital(sentence)}. ${hidden} ${others} ${capital(remedies[scope])}.`;
}
