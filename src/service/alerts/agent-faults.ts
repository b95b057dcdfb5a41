import type { Presence } from "#service/alerting/presence";
import { lasting } from "#base/duration";
import { isLasting } from "#service/agents/agent-spells";
import { undecided } from "#service/alerts/location-alerts";
import { liveAmong, numberOf, type PlaceFault } from "#service/alerts/place-faults";
import type { StoredInstance } from "#service/agents/instances";
import type { LocationId } from "#service/store/ids";
import {
  type AgentTrouble,
  agentTroubles,
  type TroubleSpell,
} from "#service/store/instance-report";
import { counted } from "#base/text";
import { epochMillis, millis } from "#base/units";

/** What is wrong with the agents of a location themselves: one fault for each kind of trouble, whoever has it. */
export function agentFaults(
  location: LocationId,
  agents: readonly StoredInstance[],
): readonly PlaceFault[] {
  const live = liveAmong(agents);
  return agentTroubles.flatMap((trouble) => {
    const having = live.flatMap((agent) => spellsOf(agent, trouble));
    if (having.length === 0) return [];
    const fault: PlaceFault = {
      subject: { kind: "agent", id: numberOf(location, `agent ${trouble}`) },
      presence: presenceOf(having.map(({ spell }) => spell)),
      words: () => ({ trouble, urgency: "warning", message: messageOf(trouble, having) }),
    };
    return [fault];
  });
}

/** One agent and the trouble that it has. */
interface Having {
  readonly name: string;
  readonly spell: TroubleSpell;
}

function spellsOf({ id, report }: StoredInstance, trouble: AgentTrouble): readonly Having[] {
  // What its clock breaks is said with what it breaks.
  const isSaid = report.conditions.some(({ subject }) => subject === "clock");
  if (trouble === "clock-off" && isSaid) return [];
  const name = report.hostname === "" ? id : report.hostname;
  return report.spells.filter((one) => one.trouble === trouble).map((spell) => ({ name, spell }));
}

function presenceOf(spells: readonly TroubleSpell[]): Presence {
  const isTrouble = spells.some(isLasting);
  const troubleSince = epochMillis(Math.min(...spells.map(({ since }) => since)));
  return isTrouble ? { ...undecided, isTrouble, isPastError: true, troubleSince } : undecided;
}

/** Who has it, how much of it, what follows from it, and what to do. */
function messageOf(trouble: AgentTrouble, having: readonly Having[]): string {
  const names = having.map(({ name }) => name);
  const [first = "", ...others] = names;
  const who = others.length === 0 ? first : `${first} and ${counted(others.length, "other")}`;
  const amounts = having.map(({ spell }) => spell.amount);
  const sum = amounts.reduce((all, one) => all + one, 0);
  switch (trouble) {
    case "results-dropped":
      return `${who} dropped ${counted(sum, "result")} before the service had taken them, so those slots are unknown. Look at its way to the service and at its disk. If it was cut off, raise PICKET_SPOOL_MAX_BYTES or PICKET_SPOOL_MAX_AGE.`;
    case "results-rejected":
      return `The service rejected ${counted(sum, "result")} of ${who}, so those slots are unknown. The agent's log and page say why. Run the same version of Picket on both sides.`;
    case "clock-off": {
      const worst = amounts.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? 0;
      const side = worst > 0 ? "ahead of" : "behind";
      return `The clock of ${who} is ${lasting(millis(Math.abs(worst)))} ${side} the service's, so its results have wrong times. Set the clocks of both machines by NTP.`;
    }
    case "slots-missed":
      return `${who} missed ${counted(sum, "slot")} by its own fault: it came too late to them, had no room for more checks, or its clock was set past them. Look at the load of its machine, or run another agent for the location.`;
  }
}
