import { remedies } from "#check/cause";
import type { Presence } from "#service/alerting/presence";
import { isReplaced, runsAll } from "#service/agents/agent-sight";
import { undecided } from "#service/alerts/location-alerts";
import {
  type FaultWords,
  numberOf,
  type PlaceFault,
  type Surroundings,
} from "#service/alerts/place-faults";
import type { StoredInstance } from "#service/agents/instances";
import type { LocationId } from "#service/store/ids";
import type { ReportedCondition } from "#service/store/instance-report";
import { capital, counted } from "#base/text";

/** What is broken at a location itself, by what its agents say. */
export function vantageFaults(
  location: LocationId,
  agents: readonly StoredInstance[],
): readonly PlaceFault[] {
  const seen = agents.flatMap((agent) =>
    agent.report.conditions.map((condition) => ({ condition, agent })),
  );
  const same = Map.groupBy(seen, ({ condition: { scope, subject } }) =>
    numberOf(location, `${scope} ${subject}`),
  );
  return [...same].flatMap(([id, all]) => {
    // Two agents of a location see the same gateway: whoever says that it is gone is believed.
    const standing = all.filter(({ condition, agent }) => agent.live && !condition.recovering);
    const lead = standing[0] ?? all.at(-1);
    if (lead === undefined) return [];
    const { agent, condition } = lead;
    return [
      {
        subject: { kind: "vantage", id },
        presence: agent.live ? presenceOf(condition) : null,
        words: (there) =>
          wordsOf({ condition, location, seenBy: standing.length > 0 ? standing : [lead] }, there),
      },
    ];
  });
}

const presenceOf = ({ recovering, since }: ReportedCondition): Presence =>
  recovering ? undecided : { ...undecided, isError: true, isTrouble: true, troubleSince: since };

/** What one agent says of a fault. */
interface Sighting {
  readonly condition: ReportedCondition;
  readonly agent: StoredInstance;
}

interface SeenFault {
  readonly condition: ReportedCondition;
  readonly seenBy: readonly Sighting[];
  readonly location: LocationId;
}

function wordsOf({ condition, seenBy, location }: SeenFault, there: Surroundings): FaultWords {
  const { active, live, sights } = there;
  const others = active.map((row) => row.locations.filter((one) => one !== location));
  const seen = others.filter((all) => all.some((one) => sights.get(one) === "all")).length;
  const unseen = others.filter((all) => all.every((one) => sights.get(one) === "none")).length;
  // An agent says how many of its monitors fail by it, not which.
  const hidden = Math.min(affectedBy(seenBy), active.length);
  const alone = Math.max(0, hidden - (active.length - unseen));
  const isCovered = seenBy.every((one) => isReplaced(one.condition, one.agent, live));
  const reach = { active: active.length, hidden, alone, seen, isCovered };
  return {
    trouble: "vantage",
    urgency: isCovered ? "warning" : alone > 0 ? "critical" : "error",
    message: `${capital(condition.sentence)}. ${hiddenWords(reach)} ${othersWords(reach)} ${capital(remedies[condition.scope])}.`,
  };
}

/** No two agents that share a location run the same monitor; those that run all of them do. */
function affectedBy(seenBy: readonly Sighting[]): number {
  const affected = (those: readonly Sighting[]): readonly number[] =>
    those.map(({ condition }) => condition.affected);
  const apart = affected(seenBy.filter(({ agent }) => !runsAll(agent)));
  const alike = affected(seenBy.filter(({ agent }) => runsAll(agent)));
  return Math.max(
    apart.reduce((sum, one) => sum + one, 0),
    ...alike,
  );
}

/** How many monitors of a location a fault hides, and what others see. */
interface Reach {
  readonly active: number;
  readonly hidden: number;
  /** Of the hidden ones, at least so many that no other location measures. */
  readonly alone: number;
  /** Of all, those that another location measures for sure. */
  readonly seen: number;
  /** Whether another agent of the same location measures what is hidden. */
  readonly isCovered: boolean;
}

const hiddenWords = ({ hidden, active }: Reach): string =>
  hidden === 0
    ? `It hides none of ${counted(active, "monitor")} there now.`
    : `So far ${hidden} of ${counted(active, "monitor")} ${hidden === 1 ? "is" : "are"} not measured there.`;

function othersWords({ active, hidden, alone, seen, isCovered }: Reach): string {
  const what = hidden === 1 ? "it" : "them";
  if (isCovered) return `Another agent of the location measures ${what} instead.`;
  if (alone > 0 && alone === hidden)
    return `No other location measures ${what}, so ${hidden === 1 ? "its" : "their"} state is unknown.`;
  if (alone > 0)
    return `For at least ${alone} of them no other location sees the target, so their state is unknown.`;
  if (seen === active) return "Other locations measure all of the location's monitors.";
  return `Other locations without such a fault measure ${seen} of the location's ${counted(active, "monitor")}.`;
}
