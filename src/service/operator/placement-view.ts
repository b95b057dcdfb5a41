import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import type { Picture } from "#service/operator/picture";
import { agentName } from "#service/operator/locations/agent-name";
import { PlacedShares } from "#service/operator/locations/placed-shares";

/** Which of the agents that run has which monitors; nothing if one agent has them all. */
export function placementView(
  running: readonly Placing[],
  agents: readonly StoredInstance[],
  picture: Picture,
): Html | null {
  if (running.length < 2) return null;
  const names = new Map(picture.monitors.map(({ id, name }) => [String(id), name]));
  return html`<section aria-labelledby="placement">
    <h2 id="placement">Placement</h2>
    ${running.map(
      ({ agent, monitors }) =>
        html`<details>
          <summary>
            ${agentName(agent, agents)}:
            ${counted(monitors.length, "monitor")}${agent.placement === "everywhere" ? ", as it runs all" : null}
          </summary>
          <ul class="remarks">
            ${monitors.map((id) => html`<li><a href="/monitors/${id}">${names.get(id) ?? id}</a></li>`)}
          </ul>
        </details>`,
    )}
    <p class="words">
      While monitors change hands, the agent before keeps them until the next one says that it runs
      them.
    </p>
  </section>`;
}

/** What an agent is to run. */
export interface Placing {
  readonly agent: StoredInstance;
  readonly monitors: readonly string[];
}

const placed = new PlacedShares();

/** By the same calculation as the assignment: also one that is gone counts there until others have what it ran. */
export function placementOf(
  agents: readonly StoredInstance[],
  monitorIds: readonly number[],
): readonly Placing[] {
  const ids = monitorIds.map(String);
  const sharers = agents.filter(({ placement }) => placement === "share");
  const shares = placed.of(ids, sharers);
  return agents.map((agent) => ({
    agent,
    monitors: agent.placement === "everywhere" ? ids : (shares.get(agent.id) ?? []),
  }));
}
