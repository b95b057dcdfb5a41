import { counted, grouped, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import type { WorkingToken } from "#service/agents/location-tokens";
import * as limits from "#limits/service-limits";
import type { LocationState } from "#service/monitors/location-state";
import { agentName } from "#service/operator/locations/agent-name";
import { droppedCount, droppedLines } from "#service/operator/locations/dropped-results";
import { isBehind, newestVersion } from "#service/operator/locations/location-list";
import { isRefused } from "#service/operator/locations/token-use";
import { agentMark, refusedMark } from "#service/operator/status-mark";
import type { Placing } from "#service/operator/placement-view";
import { verdictMark } from "#web/page/verdict-mark";
import { between, type EpochMillis } from "#base/units";

interface AgentTable {
  readonly state: LocationState;
  readonly agents: readonly StoredInstance[];
  /** Those that work. */
  readonly tokens: readonly WorkingToken[];
  /** What each is to run now: the section below the table says the same. */
  readonly placings: readonly Placing[];
  readonly at: EpochMillis;
  /** Of the location, if the reader may remove those that do not run; null otherwise. */
  readonly removedAt: string | null;
}

interface Column {
  readonly head: string;
  readonly isFigure: boolean;
}
const columns: readonly Column[] = [
  { head: "Agent", isFigure: false },
  { head: "State", isFigure: false },
  { head: "Heartbeat", isFigure: false },
  { head: "Version", isFigure: false },
  { head: "Runs", isFigure: true },
  { head: "Waiting", isFigure: true },
  { head: "Missed checks", isFigure: true },
  { head: "Dropped", isFigure: true },
];

/** The agents of a location: whether each calls, and what it runs. */
export function agentTable(table: AgentTable): Html {
  const { agents } = table;
  const hasActs = table.removedAt !== null && agents.some(({ live }) => !live);
  const rows = agents.map((agent) => rowOf(agent, table));
  return html`<div class="wide" role="region" aria-label="Table of agents" tabindex="0">
      <table class="settled">
        <thead>
          <tr>
            ${columns.map(({ head, isFigure }) => html`<th scope="col" class="${isFigure ? "figure" : ""}">${head}</th>`)}
            ${hasActs ? html`<th scope="col"><span class="unseen">Actions</span></th>` : null}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => agentRow(row, table, hasActs))}
        </tbody>
      </table>
    </div>
    ${behindLine(agents)}
    <p class="words">
      Runs is how many monitors the service gives the agent
      now${rows.some((one) => one.said !== null) ? ", and next to it how many it said that it runs at its last heartbeat" : null}.
      Waiting results come later. Checks that it missed since it started, and dropped results, never
      do. What was not checked while no agent called is in the incidents of the location.
      ${agents.every(({ live }) => live) ? null : vanishing}
    </p>
    ${droppedLines(agents)}`;
}

const vanishing = `An agent that does not call leaves the table by itself after ${limits.instancesKeptFor / 3_600_000} hours.`;

/** An agent, and what is true of it at the instant of the page. */
interface AgentRow {
  readonly agent: StoredInstance;
  readonly isRefused: boolean;
  /** How many monitors it is to run; null: it does not run. */
  readonly runs: number | null;
  /** How many it said that it runs, if that is another number. */
  readonly said: number | null;
}

function rowOf(agent: StoredInstance, { state, agents, tokens, placings }: AgentTable): AgentRow {
  const refused = isRefused(agent, state, agents, tokens);
  const placing = placings.find((one) => one.agent === agent);
  const runs = agent.live && !refused && placing !== undefined ? placing.monitors.length : null;
  const { version, monitorCount } = agent.report;
  // One without heartbeats says nothing.
  const differs = runs !== null && version !== "" && monitorCount !== runs;
  return { agent, isRefused: refused, runs, said: differs ? monitorCount : null };
}

function agentRow(
  { agent, isRefused: refused, runs, said }: AgentRow,
  { agents, at, removedAt }: AgentTable,
  hasActs: boolean,
): Html {
  const { id, live, left, lastSeenAt, report } = agent;
  const { hostname, node, version, resultsWaiting, missedSlots } = report;
  const isWaitingKnown = (live && !refused) || left;
  const place = [hostname, node].filter((one) => one !== "").join(", ");
  const state = refused
    ? refusedMark
    : left
      ? verdictMark("unchecked", "Stopped")
      : agentMark(live ? "active" : "error");
  return html`<tr>
    <th scope="row">
      ${place === "" ? id : place} <span class="note">${place === "" ? null : id}</span>
    </th>
    <td data-label="State">${state}</td>
    <td data-label="Heartbeat">
      <time datetime="${isoTime(lastSeenAt)}">${span(between(lastSeenAt, at))} ago</time>
    </td>
    <td data-label="Version">
      ${version === "" ? "–" : html`${version} <span class="note">${isBehind(agent, agents) ? "behind" : "latest"}</span>`}
    </td>
    <td data-label="Runs" class="figure">
      ${runs === null ? "–" : grouped(runs)}${said === null ? null : html` <span class="note">said ${grouped(said)}</span>`}
    </td>
    ${isWaitingKnown ? html`<td data-label="Waiting" class="figure">${grouped(resultsWaiting)}</td>` : unknownWaiting}
    <td data-label="Missed checks" class="figure">${grouped(missedSlots)}</td>
    <td data-label="Dropped" class="figure">${grouped(droppedCount(report))}</td>
    ${hasActs ? html`<td data-label="" class="act">${live ? null : removeLink(agent, agents, removedAt ?? "")}</td>` : null}
  </tr>`;
}

/** What it says of that does not come, or is refused. */
const unknownWaiting = html`<td
  data-label="Waiting"
  class="figure"
  title="Not known since its last heartbeat"
>
  –
</td>`;

const removeLink = (
  agent: StoredInstance,
  agents: readonly StoredInstance[],
  removedAt: string,
): Html =>
  html`<a
    class="button small"
    href="${removedAt}/remove?agent=${encodeURIComponent(agent.id)}"
    aria-label="Remove the agent ${agentName(agent, agents)}"
    >Remove</a
  >`;

/** Which of those that run are older than they could be; nothing if none is. */
function behindLine(agents: readonly StoredInstance[]): Html | null {
  const { length } = agents.filter((one) => one.live && isBehind(one, agents));
  if (length === 0) return null;
  return html`<p class="advice">
    ${counted(length, "agent")} ${length === 1 ? "is" : "are"} behind version
    ${newestVersion(agents)}. Give ${length === 1 ? "it" : "them"} the newer program: the state
    stays.
  </p>`;
}
