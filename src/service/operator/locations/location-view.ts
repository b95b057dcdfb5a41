import { conditionView } from "#service/operator/condition-view";
import { counted, isoTime, span } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import type { StoredLocation } from "#service/agents/locations";
import type { WorkingToken } from "#service/agents/location-tokens";
import { locationMonitors } from "#service/operator/locations/location-monitors";
import { agentTable } from "#service/operator/locations/agent-table";
import { tokenView } from "#service/operator/locations/token-view";
import { buttonForm } from "#service/operator/form-fields";
import { actMenu } from "#service/operator/forms/act-menu";
import { mainAct } from "#service/operator/lists/list-head";
import { managedNote } from "#service/operator/managed-note";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { placementOf, placementView, type Placing } from "#service/operator/placement-view";
import type { Incident } from "#service/alerting/incident";
import { incidentLink } from "#service/operator/incidents/incident-link";
import type { FoundMonitors } from "#service/operator/pictures/found-monitors";
import type { Picture } from "#service/operator/picture";
import { whyNotActive } from "#service/operator/locations/silent-location";
import { oldTokenLine } from "#service/operator/locations/old-token";
import { isRefused } from "#service/operator/locations/token-use";
import { locationMark, refusedMark } from "#service/operator/status-mark";
import { between } from "#base/units";

interface LocationPage {
  readonly location: StoredLocation;
  readonly agents: readonly StoredInstance[];
  /** That no agent reports; null if none is open. */
  readonly incident: Pick<Incident, "number" | "acknowledged"> | null;
  readonly tokens: readonly WorkingToken[];
  readonly picture: Picture;
  /** Its monitors that are not paused: what its agents share. */
  readonly activeIds: readonly number[];
  /** Its monitors, as it sees them: the worst first. */
  readonly lines: FoundMonitors;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: Html | null;
}

/** One location: its agents, what they run and what waits there, and its monitors. */
export function locationView(page: LocationPage): Html {
  const { location, agents, tokens, picture, reader, notice } = page;
  const { id, name, state, lastSeenAt, metadata } = location;
  const at = picture.at;
  const why = whyWithIncident(page);
  const stillOld = oldTokenLine(tokens, agents, at);
  const placings = placementOf(agents, page.activeIds);
  const live = placings.filter(({ agent }) => agent.live);
  const running = live.filter(({ agent }) => !isRefused(agent, state, agents, tokens));
  const labels = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`);
  return html`<p class="back"><a href="/locations">Locations</a></p>
    <div class="title-line">
      <div>
        <h1 class="target">${breakable(name)}</h1>
        <p class="verdict">
          ${live.length > 0 && running.length === 0 ? refusedMark : locationMark(state)}
          <span class="kind"
            >${lastSeenAt === null ? "never seen" : html`last seen <time datetime="${isoTime(lastSeenAt)}">${span(between(lastSeenAt, at))} ago</time>`}${labels.length === 0 ? null : `; ${labels.join(", ")}`}</span
          >
        </p>
      </div>
      ${mayChange(reader) ? actsOf(location) : null}
    </div>
    ${notice} ${managedNote(location.owner)} ${why === null ? null : whyView(page, why)}
    ${stillOld === null ? null : html`<p class="words">${stillOld}</p>`}
    ${conditionView(agents, at)} ${agentSection(page, placings)}
    ${placementView(running, agents, picture)}
    ${locationMonitors({ location: id, lines: page.lines, at })}
    ${mayChange(reader) ? tokenView({ id, tokens, isOldUsed: stillOld !== null, reader, at }) : null}`;
}

/** Why its agents do not report, with the incident that says who takes care of it. */
function whyWithIncident({ location, agents, incident }: LocationPage): Html | null {
  const why = whyNotActive(location.state, agents);
  if (why === null || incident === null) return why;
  const { number, acknowledged } = incident;
  return html`${why} ${incidentLink({ number, acknowledged: acknowledged !== null })}`;
}

/** If agents come with a token that works, one that is refused is no alarm, and no newer token is needed. */
function whyView({ location: { id, state }, reader }: LocationPage, why: Html): Html {
  if (state.refused?.isOnly === true) return refusedBox(id, why, reader);
  return html`<p class="${state.refused === null ? "why" : "words"}">${why}</p>`;
}

/** What its agent reports is lost until it has a token that works. */
const refusedBox = (id: number, why: Html, reader: KnownReader): Html =>
  html`<div class="trouble error with-act refused" role="status">
    <p class="why">${why}</p>
    ${
      mayChange(reader)
        ? buttonForm(`/locations/${id}/token`, reader, "Create a new token", "this location")
        : null
    }
  </div>`;

const actsOf = ({ id, owner }: StoredLocation): Html =>
  html`<div class="acts">
    <a class="button" href="/locations/${id}/start">Start an agent</a>
    ${
      owner === ""
        ? html`<a class="button" href="/locations/${id}/edit">Edit</a> ${actMenu("this location", [
              html`<a class="button bare danger" href="/locations/${id}/delete">Delete</a>`,
            ])}`
        : null
    }
  </div>`;

function agentSection(
  { location, agents, tokens, picture: { at }, reader }: LocationPage,
  placings: readonly Placing[],
): Html {
  const content =
    agents.length === 0
      ? noAgent(location, mayChange(reader))
      : agentTable({
          state: location.state,
          agents,
          tokens,
          placings,
          at,
          removedAt: mayChange(reader) ? `/locations/${location.id}/agents` : null,
        });
  return html`<section aria-labelledby="agents">
    <h2 id="agents">Agents</h2>
    ${content}
  </section>`;
}

/** The next step of a location that checks nothing. */
const noAgent = ({ id, lastSeenAt, monitors }: StoredLocation, isEditor: boolean): Html => {
  const what = lastSeenAt === null ? "No agent has run here yet." : "No agent has run here lately.";
  const unchecked =
    monitors.length === 0
      ? null
      : ` ${counted(monitors.length, "monitor")} ${monitors.length === 1 ? "is" : "are"} not checked from here.`;
  return html`<div class="card next-step">
    <p><strong>${what}</strong>${unchecked}</p>
    ${
      isEditor
        ? html`<p class="words">
              Start one on a machine in this network: the next page has one command for a terminal,
              systemd, Docker or Kubernetes.
            </p>
            <p>${mainAct(`/locations/${id}/start`, "Start an agent")}</p>`
        : html`<p class="words">Ask an editor to start one.</p>`
    }
  </div>`;
};
