import { counted, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { agentName } from "#service/operator/locations/agent-name";
import { oldTokenLine } from "#service/operator/locations/old-token";
import { refusalLine } from "#service/operator/locations/token-use";
import { nextWords } from "#service/operator/page-request";
import * as limits from "#limits/pages-limits";
import type { StoredInstance } from "#service/agents/instances";
import type { WorkingToken } from "#service/agents/location-tokens";
import type { StoredLocation } from "#service/agents/locations";
import { between, type EpochMillis } from "#base/units";

interface Arrival {
  readonly location: StoredLocation;
  readonly agents: readonly StoredInstance[];
  /** Those that work: the newest is in the commands. */
  readonly tokens: readonly WorkingToken[];
  readonly at: EpochMillis;
  /** Of the service, at whatever location. */
  readonly hasMonitors: boolean;
  /** Where a person continues once one has come; null: nowhere. */
  readonly next: string | null;
}

/** Whether an agent has come with the newest token: the page looks again every other second until one has. */
export function arrivalView({ location, agents, tokens, at, hasMonitors, next }: Arrival): Html {
  const live = agents.filter((one) => one.live);
  const isThere =
    (tokens[0]?.calledAt ?? null) !== null &&
    (live.length > 0 || location.state.status === "active");
  const others = [refusalLine(location.state, agents), oldTokenLine(tokens, agents, at)]
    .filter((line) => line !== null)
    .map((line) => html`<p class="words">${line}</p>`);
  if (!isThere)
    return html`<div
      class="card arrival"
      role="status"
      data-renew-every="${limits.waitingLookEvery}"
    >
      <p>
        ${verdictMark("unchecked", `Waiting for an agent${location.lastSeenAt === null ? "" : " with this token"}`)}
      </p>
      ${others}
      <p class="words">${lastSeen(location, at)} This page turns green by itself when one comes.</p>
      ${next === null ? null : html`<p><a href="${next}">${nextWords(next)}</a></p>`}
      <noscript><p class="words">Load the page again to see whether one has come.</p></noscript>
    </div>`;
  const isIdle =
    location.monitors.length === 0 && live.every(({ report }) => report.monitorCount === 0);
  return html`<div class="card arrival there" role="status">
    <p>
      ${verdictMark("success", live.length < 2 ? "The agent has come" : `${live.length} agents have come`)}
    </p>
    ${live.map((one) => html`<p class="words">${agentName(one, agents)}${afterName(one, isIdle)}.</p>`)}
    ${others} ${isIdle ? nothingToCheck(location, hasMonitors) : null}
    ${next === null ? null : nextButton(next)}
  </div>`;
}

const nextButton = (next: string): Html =>
  html`<p><a class="button main" href="${next}">${nextWords(next)}</a></p>`;

const afterName = ({ report }: StoredInstance, isIdle: boolean): string =>
  `${report.version === "" ? "" : `, version ${report.version}`}${isIdle ? "" : `: ${runs(report.monitorCount)}`}`;

/** The first heartbeat comes before the first assignment. */
const runs = (count: number): string =>
  count === 0 ? "it gets its monitors now" : `it runs ${counted(count, "monitor")}`;

/** The next step of a location without monitors. That of a file gets them by the file. */
const nothingToCheck = ({ id, owner }: StoredLocation, hasMonitors: boolean): Html =>
  html`<p><strong>Connected. It has nothing to check yet.</strong></p>
    ${
      owner !== ""
        ? html`<p class="words">The file of this location says which monitors it runs.</p>`
        : hasMonitors
          ? html`<p><a class="button" href="/locations/${id}/edit">Assign monitors</a></p>`
          : html`<p><a class="button" href="/monitors/new">Create monitor</a></p>`
    }`;

const lastSeen = ({ lastSeenAt }: StoredLocation, at: EpochMillis): Html | string =>
  lastSeenAt === null
    ? "None has called yet."
    : html`The last one called
        <time datetime="${isoTime(lastSeenAt)}">${span(between(lastSeenAt, at))} ago</time>.`;
