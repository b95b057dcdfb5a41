import type { StoredInstance } from "#service/agents/instances";
import type { ReportedCondition } from "#service/store/instance-report";

/** How much of its monitors a location sees, as far as is known: "some" leaves open which. */
export type Sight = "all" | "some" | "none";

/** What the agents of a location see, by what they say is broken at their own places. */
export function sightOf(agents: readonly StoredInstance[]): Sight {
  const live = agents.filter((one) => one.live);
  if (live.length > 0 && live.every(isBlind)) return "none";
  const isWhole = live.every((agent) =>
    agent.report.conditions.every((one) => one.recovering || isReplaced(one, agent, live)),
  );
  return isWhole ? "all" : "some";
}

/** Whether others of its location see what an agent cannot: its monitors move to them, or they run all of them anyway. */
export const isReplaced = (
  condition: ReportedCondition,
  agent: StoredInstance,
  live: readonly StoredInstance[],
): boolean =>
  live.some(
    (other) =>
      other.id !== agent.id &&
      !other.report.conditions.some((one) => takesSight(one) || isSame(one, condition)) &&
      (takesSight(condition) || runsAll(agent) || runsAll(other)),
  );

/** Others of the location may see what this agent cannot. A rule of its own firewall is about some targets only. */
export const takesSight = ({ scope, recovering }: ReportedCondition): boolean =>
  !recovering &&
  (scope === "link" || scope === "gateway" || scope === "resolver" || scope === "proxy");

/** Monitors by address need no name server, and those of its own network no gateway: each has to be known to be hidden. */
const isBlind = ({ report }: StoredInstance): boolean =>
  report.conditions.some((one) => takesSight(one) && one.affected >= report.monitorCount);

const isSame = (one: ReportedCondition, { scope, subject }: ReportedCondition): boolean =>
  !one.recovering && one.scope === scope && one.subject === subject;

/** Whether it runs every monitor of its location, whatever other agents are there. */
export const runsAll = ({ placement }: StoredInstance): boolean => placement === "everywhere";
