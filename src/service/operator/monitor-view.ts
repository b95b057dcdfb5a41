import { policyFrom } from "#check/alert-policy";
import { kindTable } from "#check/kinds/kind-table";
import { fineLatency } from "#check/echo-spread";
import { figureTable } from "#service/edge/figure-table";
import { recentDays, uptimeOf } from "#web/page/chart/calendar";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { dayAndTime, isoTime, knownMillis, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type IncidentList, incidentLines } from "#service/operator/incidents/incident-list-view";
import {
  budgetWords,
  errorBudget,
  objectiveWords,
  shareOf,
} from "#service/operator/reports/error-budget";
import { dayBars } from "#service/operator/charts/day-bars";
import { certificateEnd, checkView } from "#service/operator/check-view";
import { pathView, shownPaths } from "#service/operator/path-view";
import { definitionView } from "#service/operator/definition-view";
import { type PastPage, pastView } from "#service/operator/past-view";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { buttonForm } from "#service/operator/form-fields";
import { gapView } from "#service/operator/gap-view";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { windowNote } from "#service/operator/planned/maintenance-view";
import type { PlannedWork } from "#service/operator/planned/work-under-way";
import { silenceForm, silenceNotes } from "#service/operator/silence-form";
import { statusMark } from "#service/operator/status-mark";
import type { StoredPath } from "#service/store/path-store";
import type { ResultWithDetail, StoredResult } from "#service/store/result-store";
import { seenAs } from "#service/monitors/judged-monitor";
import { between, type EpochMillis } from "#base/units";

interface MonitorPage extends PastPage {
  readonly reader: KnownReader;
  readonly at: EpochMillis;
  /** The newest ones, and how many there are. */
  readonly incidents: IncidentList;
  /** What has nothing sent about it now. */
  readonly planned: PlannedWork;
  /** Incidents of the days that are shown. */
  readonly dayIncidents: readonly ChartMark[];
  readonly picture: Picture;
  /** What became of a check that was asked for; null if none was. */
  readonly notice: string | null;
  /** Why a location does not check it at all. */
  readonly unchecked: ReadonlyMap<number, string>;
  readonly paths: readonly StoredPath[];
}

/** One monitor: how it is and since when, at which locations, its past in charts, and the checks that explain it. */
export function monitorView(page: MonitorPage): Html {
  const { monitor, story, at, notice } = page;
  const { name, kind, target, status, since, period, reason } = monitor;
  const sinceWords =
    since === null
      ? null
      : html`, <time datetime="${isoTime(since)}">for ${span(between(since, at))}</time>`;
  return html`<p class="back"><a href="/">All monitors</a></p>
    <div class="title-line">
      <h1 class="target">${name}</h1>
      ${monitorActs(page)}
    </div>
    <p class="verdict">
      ${statusMark(status)}
      <span class="kind"
        >${kindTable[kind].label} ${target}, every ${span(period)}${sinceWords}</span
      >
    </p>
    ${notice === null ? null : html`<p class="notice" role="status">${notice}</p>`}
    ${reason === null || reason.message === "" ? null : html`<p class="why">${reason.message}</p>`}
    ${windowNote(page.planned.maintenance, at)}
    ${silenceNotes(page.planned.silences, `/monitors/${monitor.id}`, page.reader, at)}
    <div class="side-acts">
      ${silenceForm(`/monitors/${monitor.id}/silence`, "this monitor", page.reader)}
      ${mayChange(page.reader) ? html`<p><a href="/maintenances/new?monitor=${monitor.id}">Plan maintenance</a></p>` : null}
    </div>
    ${sightSection(page)} ${gapView(story.gaps, monitor.seenBy)} ${daySection(page)}
    ${pastView(page)} ${incidentSection(page)} ${checkSections(page)} ${pathSection(page)}
    ${newestSection(story.newest, monitor)}
    ${definitionView(page.definition, certificateEnd(story.lastPassed), at)}`;
}

/** What can be done with it. */
function monitorActs(page: MonitorPage): Html | null {
  const { monitor, reader } = page;
  if (!mayChange(reader)) return html`<div class="acts">${checkNowForm(page)}</div>`;
  const path = `/monitors/${monitor.id}`;
  const isPaused = monitor.status === "inactive";
  return html`<div class="acts">
    ${checkNowForm(page)} <a class="button" href="${path}/edit">Edit</a>
    <a class="button" href="${path}/copy">Copy</a>
    ${buttonForm(isPaused ? `${path}/resume` : `${path}/pause`, reader, isPaused ? "Resume" : "Pause", monitor.name)}
    <a class="button danger" href="${path}/delete">Delete</a>
  </div>`;
}

function checkNowForm({ monitor, reader }: MonitorPage): Html | null {
  if (monitor.status === "inactive" || !may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/monitors/${monitor.id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit">Check now</button>
  </form>`;
}

function sightSection({ monitor, unchecked, reader, at }: MonitorPage): Html {
  const { seenBy } = monitor;
  const rows = seenBy.map(
    ({ location, name, status, slot, stale }) =>
      html`<tr>
        <th scope="row"><a href="/locations/${location}">${name}</a></th>
        <td>${statusMark(status)}</td>
        <td>${slot === null ? "never" : `${span(between(slot, at))} ago`}</td>
        <td>
          ${unchecked.get(location) ?? (stale ? "does not count: it is too old, or the location is silent or cannot see" : null)}
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="sights">
    <h2 id="sights">By location</h2>
    ${
      rows.length === 0
        ? html`<p class="advice">
            No location runs this monitor, so nothing checks it.
            ${
              mayChange(reader)
                ? html`<a href="/monitors/${monitor.id}/edit#field-locations"
                      >Choose where it runs</a
                    >.`
                : null
            }
          </p>`
        : html`${figureTable("Table of locations", ["Location", "Sees", "Last check", "Note"], rows, ["Sees", "Note"])}`
    }
  </section>`;
}

/** What is left of the time that it may be down; nothing without an objective. */
function objectiveLine(
  { alerting }: MonitorPage["definition"],
  { days }: PicturedMonitor,
  at: EpochMillis,
): Html | null {
  const { objective } = policyFrom(alerting);
  if (objective === null) return null;
  const budget = errorBudget(objective, days, at);
  const uptime = budget.uptime === null ? "no data" : `${shareOf(budget.uptime)} up`;
  return html`<p class="objective">
    <strong>Objective ${objectiveWords(objective)}:</strong> ${uptime}. ${budgetWords(budget)}
  </p>`;
}

function daySection({ monitor, dayIncidents, definition, at }: MonitorPage): Html {
  const uptime = uptimeOf(monitor.days);
  const days = recentDays(monitor.days);
  return html`<section aria-labelledby="days">
    <h2 id="days">${days.length} days${uptime === null ? null : html`: ${uptime} up`}</h2>
    ${dayBars(monitor.id, days, dayIncidents)} ${objectiveLine(definition, monitor, at)}
  </section>`;
}

function incidentSection({ monitor, incidents, picture }: MonitorPage): Html | null {
  const { open, over } = incidents.counts;
  if (open + over === 0) return null;
  const rest = open + over - incidents.incidents.length;
  return html`<section aria-labelledby="incidents">
    <h2 id="incidents">Incidents</h2>
    ${incidentLines(incidents.incidents, picture)}
    ${rest === 0 ? null : html`<p><a href="/incidents?monitor=${monitor.id}">All ${open + over} incidents</a></p>`}
  </section>`;
}

function checkSections({ story, monitor, at, reader }: MonitorPage): Html {
  const shown = may(reader, "responder") ? "whole" : "without addresses";
  const placeOf = ({ location }: StoredResult): string =>
    monitor.seenBy.find((one) => one.location === location)?.name ?? String(location);
  const section = (id: string, title: string, result: ResultWithDetail | null): Html | null =>
    result === null
      ? null
      : html`<section aria-labelledby="${id}">
          <h2 id="${id}">
            ${title}: ${knownMillis(fineLatency(result))}, ${span(between(result.startedAt, at))}
            ago
          </h2>
          ${checkView(result, placeOf(result), at, shown)}
        </section>`;
  return html`${section("failed", "Last failing check", story.lastFailed)}
  ${section("passed", "Last good check with details", story.lastPassed)}`;
}

function pathSection({ paths, monitor, reader, at }: MonitorPage): Html | null {
  const shown = shownPaths(paths, may(reader, "responder") ? "whole" : "without addresses");
  const nameOf = (location: number): string =>
    monitor.seenBy.find((one) => one.location === location)?.name ?? String(location);
  return pathView(shown, nameOf, at);
}

function newestSection(newest: readonly StoredResult[], { seenBy }: PicturedMonitor): Html | null {
  if (newest.length === 0) return null;
  const rows = newest.map(
    (result) =>
      html`<tr>
        <td><time datetime="${isoTime(result.slot)}">${dayAndTime(result.slot)}</time></td>
        <td>${statusMark(seenAs[result.status])}</td>
        <td>${knownMillis(fineLatency(result))}</td>
        <td>${seenBy.find((one) => one.location === result.location)?.name ?? null}</td>
        <td>
          ${result.failure === null ? null : html`<code>${result.failure.code}</code>`}${result.trigger === "api" ? " asked for" : null}
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="newest">
    <h2 id="newest">Newest checks</h2>
    ${figureTable("Table of checks", ["Scheduled", "Result", "Latency", "Location", "Note"], rows, ["Result", "Location", "Note"])}
  </section>`;
}
