import { conditionView } from "#service/operator/condition-view";
import { figureTable } from "#service/edge/figure-table";
import { grouped, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import type { StoredLocation } from "#service/agents/locations";
import { placementView } from "#service/operator/placement-view";
import { overviewRows } from "#service/operator/overview-rows";
import { firstQuery, type OverviewQuery } from "#service/operator/overview-query";
import { monitorLines } from "#service/operator/overview-view";
import type { Picture } from "#service/operator/picture";
import { locationMark } from "#service/operator/status-mark";
import { between, type EpochMillis } from "#base/units";
import { capital } from "#base/text";

interface LocationPage {
  readonly location: StoredLocation;
  readonly agents: readonly StoredInstance[];
  readonly picture: Picture;
}

/** One location: its agents, what they run and what waits there, and its monitors. */
export function locationView({ location, agents, picture }: LocationPage): Html {
  const { name, state, lastSeenAt, metadata } = location;
  const at = picture.at;
  const labels = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`);
  const query: OverviewQuery = { ...firstQuery, location: location.id };
  const found = overviewRows(picture, query);
  return html`<p class="back"><a href="/">All monitors</a></p>
    <h1 class="target">${name}</h1>
    <p class="verdict">
      ${locationMark(state.status)}
      <span class="kind"
        >${lastSeenAt === null ? "never seen" : html`last seen <time datetime="${isoTime(lastSeenAt)}">${span(between(lastSeenAt, at))} ago</time>`}${labels.length === 0 ? null : `; ${labels.join(", ")}`}</span
      >
    </p>
    ${state.message === "" ? null : html`<p class="why">${capital(state.message)}.</p>`}
    ${conditionView(agents, at)} ${agentSection(agents, at)}
    ${placementView(agents, location.monitors, picture)}
    <section aria-labelledby="monitors">
      <h2 id="monitors">${grouped(found.matched)} monitors</h2>
      ${monitorLines(found.rows, picture)}
    </section>`;
}

function agentSection(agents: readonly StoredInstance[], at: EpochMillis): Html {
  if (agents.length === 0)
    return html`<section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      <p class="advice">No agent has run here lately. Start one with the location's token.</p>
    </section>`;
  const heads = [
    "Agent",
    "State",
    "Heartbeat",
    "Version",
    "Runs",
    "Waiting",
    "Missed slots",
    "Dropped",
  ];
  return html`<section aria-labelledby="agents">
    <h2 id="agents">Agents</h2>
    ${figureTable(
      "Table of agents",
      heads,
      agents.map((agent) => agentRow(agent, at)),
    )}
    <p class="words">
      Runs is how many monitors the agent runs now. Waiting results come later; missed slots and
      dropped results never do.
    </p>
  </section>`;
}

function agentRow({ id, live, left, lastSeenAt, report }: StoredInstance, at: EpochMillis): Html {
  const { hostname, node, version, monitorCount, resultsWaiting, missedSlots } = report;
  const place = [hostname, node].filter((one) => one !== "").join(", ");
  const state = live ? "running" : left ? "stopped" : "silent";
  return html`<tr>
    <th scope="row">
      ${place === "" ? id : place} <span class="note">${place === "" ? null : id}</span>
    </th>
    <td>${state}</td>
    <td>${span(between(lastSeenAt, at))} ago</td>
    <td>${version === "" ? "–" : version}</td>
    <td>${grouped(monitorCount)}</td>
    <td>${grouped(resultsWaiting)}</td>
    <td>${grouped(missedSlots)}</td>
    <td>${grouped(report.resultsGivenUp + report.resultsRejected)}</td>
  </tr>`;
}
