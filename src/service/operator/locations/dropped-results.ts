import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import { agentName } from "#service/operator/locations/agent-name";
import type { InstanceReport } from "#service/store/instance-report";

/** Results of an agent that never come: those that it dropped, and those that the service rejected. */
export const droppedCount = ({ resultsGivenUp, resultsRejected }: InstanceReport): number =>
  resultsGivenUp + resultsRejected;

/** Why each agent dropped results, as far as it says that, and where more is known; nothing if none did. */
export function droppedLines(agents: readonly StoredInstance[]): Html | null {
  const some = agents.filter(({ report }) => droppedCount(report) > 0);
  return some.length === 0
    ? null
    : html`${some.map(
          (agent) =>
            html`<p class="words">
              ${agentName(agent, agents)} dropped ${counted(droppedCount(agent.report), "result")}
              since it started${becauseOf(reasonsOf(agent.report))}.
            </p>`,
        )}
        <p class="words">
          The log of the agent has the monitor and the reason of those that the service rejected or
          failed on.
        </p>`;
}

const becauseOf = (reasons: readonly string[]): string =>
  reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;

/** `2 waited too long for the service`: each reason that has results. */
function reasonsOf(report: InstanceReport): readonly string[] {
  const { resultsGivenUp, resultsGivenUpAge: age, resultsGivenUpRoom: room } = report;
  const { resultsRejected, resultsUnassigned: unassigned } = report;
  const rejected = resultsRejected - unassigned;
  const reasons: readonly (readonly [count: number, words: string])[] = [
    [age ?? 0, "waited for the service for longer than the agent keeps results"],
    [room ?? 0, "gave way to newer ones, because the room for waiting results was full"],
    [
      // Where the other reasons are unknown, so is this one.
      age === null || room === null ? 0 : resultsGivenUp - age - room,
      "could not be read from its disk again, or the service failed on them each time",
    ],
    [unassigned, "came after the monitor was taken from this location"],
  ];
  return [
    ...reasons.filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`),
    ...(rejected > 0 ? [`the service rejected ${grouped(rejected)}`] : []),
  ];
}
