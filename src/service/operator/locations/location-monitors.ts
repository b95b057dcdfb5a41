import { failureSentence } from "#service/notify/message/failure-sentence";
import { incidentLink } from "#service/operator/incidents/incident-link";
import { waitingMark, waitingWords } from "#service/operator/incidents/recovery-words";
import { lineAbout } from "#service/operator/monitors/line-about";
import { heldFor } from "#service/operator/monitors/failed-for";
import { isUnusual, latest } from "#service/operator/monitors/line-latency";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { plannedChips } from "#service/operator/planned/planned-chips";
import type { FoundMonitors } from "#service/operator/pictures/found-monitors";
import { statusClass, statusMark } from "#service/operator/status-mark";
import { unreadWords } from "#service/operator/unread-words";
import { counted } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import type { EpochMillis } from "#base/units";

interface MonitorsThere {
  readonly location: number;
  /** The worst first. */
  readonly lines: FoundMonitors;
  readonly at: EpochMillis;
}

/** The worst monitors of a location, a short line each as they are there; the overview has all of them. */
export function locationMonitors({ location, lines, at }: MonitorsThere): Html {
  const { found, picture } = lines;
  const monitors = found.rows.flatMap((row) => (row.kind === "monitor" ? [row.monitor] : []));
  return html`<section aria-labelledby="monitors">
    <h2 id="monitors">${counted(found.matched, "monitor")}</h2>
    ${
      found.matched === 0
        ? null
        : html`<ul class="watched here">
              ${monitors.map((one) => lineOf(one, picture, at))}
              <li class="all-there">
                <a href="/?location=${location}"
                  >${found.matched === 1 ? "Show it in the overview" : `All ${counted(found.matched, "monitor")} at this location`}</a
                >
              </li>
            </ul>
            <p class="words">
              States are
              ${picture.detail === "whole" ? "as this location sees them" : "those of all locations"};
              latency is of all locations.
            </p>`
    }
  </section>`;
}

/** Its latency is that of all locations: of one that fails here, how it fails says more. */
function lineOf(pictured: PicturedMonitor, picture: Picture, at: EpochMillis): Html {
  const fails = pictured.status === "error" && pictured.reason !== null;
  const monitor = fails ? { ...pictured, latency: null } : pictured;
  return html`<li class="line ${statusClass(monitor.status)}">
    ${waitingMark(monitor) ?? statusMark(monitor.status)}
    <h3>
      <a href="/monitors/${monitor.id}">${breakable(monitor.name)}</a
      >${plannedChips(picture, monitor)}
    </h3>
    ${lineAbout(monitor)}
    <p class="latency${isUnusual(monitor) ? " unusual" : ""}">${latest(monitor)}</p>
    <p class="since">${heldFor(monitor.since, at)}</p>
    ${whyOf(monitor, at)}
  </li>`;
}

/** What is wrong with it there, with its incident; nothing of one that is well. */
function whyOf(monitor: PicturedMonitor, at: EpochMillis): Html | null {
  const { status, reason, incident, unread, lastCheckedAt } = monitor;
  if (unread) return html`<p class="why">${unreadWords}</p>`;
  const waiting = status === "active" ? waitingWords(monitor, at) : null;
  if (waiting !== null) return html`<p class="why">${waiting}. ${incidentLink(incident)}</p>`;
  if (status === "active" || status === "inactive") return null;
  if (reason !== null)
    return html`<p class="why">
      ${failureSentence(reason.message)} ${incidentLink(incident ?? reason.incident ?? null)}
    </p>`;
  return status !== "unknown"
    ? null
    : html`<p class="why">
        ${lastCheckedAt === null ? "Waiting for its first check." : "No fresh result from here."}
      </p>`;
}
