import { choiceQuery } from "#service/operator/charts/range-choice";
import { labelWords } from "#service/operator/lists/label-words";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { policyFrom } from "#check/alert-policy";
import { kindTable } from "#check/kinds/kind-table";
import { fineLatency } from "#check/echo-spread";
import { type Day, dayLength, daysBefore, recentDays, uptimeOf } from "#web/page/chart/calendar";
import type { TailLatency } from "#service/operator/charts/tail-latency";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { latencyWords } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { filesChip, filesOf, placedInFile } from "#service/operator/managed-note";
import { heldFor } from "#service/operator/monitors/failed-for";
import { waitingMark } from "#service/operator/incidents/recovery-words";
import { troubleNote } from "#service/operator/incidents/trouble-note";
import type { IncidentList } from "#service/operator/incidents/incident-list";
import { incidentsOfOne } from "#service/operator/incidents/incident-list-view";
import { budgetWords, errorBudget, objectiveWords } from "#service/operator/reports/error-budget";
import { dayBars } from "#service/operator/charts/day-bars";
import { checkAge } from "#service/operator/monitors/check-age";
import { certificateSpan, checkView, shownTo } from "#service/operator/check-view";
import { pathView, shownPaths } from "#service/operator/path-view";
import { definitionView } from "#service/operator/definition-view";
import { type PastPage, pastView } from "#service/operator/past-view";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { gapView } from "#service/operator/gap-view";
import { sightSection } from "#service/operator/monitors/sight-section";
import { monitorActs } from "#service/operator/monitors/monitor-acts";
import { monitorFigures } from "#service/operator/monitor-figures";
import { type NotifiedChannel, notifiedSection } from "#service/operator/notified-channels";
import { newestChecks } from "#service/operator/newest-checks";
import { listedState, type Picture, type PicturedMonitor } from "#service/operator/picture";
import { windowNote } from "#service/operator/planned/window-note";
import type { PlannedWork } from "#service/operator/planned/work-under-way";
import { type RefusedSilence, silenceNotes } from "#service/operator/silence-form";
import { statusMark } from "#service/operator/status-mark";
import { unreadWords } from "#service/operator/unread-words";
import type { StoredPath } from "#service/store/path-store";
import type { StoredResult } from "#service/store/result-store";
import type { EpochMillis, Millis } from "#base/units";

export interface MonitorPage extends PastPage {
  /** The median latency of today, of a monitor that has no whole day; null if nothing passed. */
  readonly median: Millis | null;
  /** Until when it was last under planned work in the days that are shown; null if it was under none. */
  readonly plannedUntil: EpochMillis | null;
  /** Of the same days as its median; null if nothing passed. */
  readonly tail: TailLatency | null;
  /** While it fails, the newest check that passed; null if none is kept. */
  readonly lastGood: StoredResult | null;
  readonly reader: KnownReader;
  readonly at: EpochMillis;
  /** The newest ones, and how many there are. */
  readonly incidents: IncidentList;
  /** What has nothing sent about it now. */
  readonly planned: PlannedWork;
  /** Incidents of the days that are shown. */
  readonly dayIncidents: readonly ChartMark[];
  readonly picture: Picture;
  /** What became of a form; null if none was sent. */
  readonly notice: Html | null;
  readonly refused: RefusedSilence | null;
  /** Why a location does not check it at all. */
  readonly unchecked: ReadonlyMap<number, string>;
  readonly paths: readonly StoredPath[];
  readonly channels: readonly NotifiedChannel[];
  /** Whose files it is managed by; empty if a person made it. */
  readonly owner: string;
  /** Its newest hours, while it is young; null: its days say enough. */
  readonly hours: readonly Day[] | null;
  /** Since when it is watched. */
  readonly born: EpochMillis;
}

/**
 * One monitor: how it is and since when, at which locations, its past in charts, and the checks that explain it. Charts are in
 * the wider column, and next to them what is short: the locations, the channels, the newest checks and what it is set to.
 */
export function monitorView(page: MonitorPage): Html {
  const { monitor, story, at, notice, owner } = page;
  const certificate = certificateSpan(story.lastPassed);
  const isFailing = monitor.status === "error";
  return html`<p class="back"><a href="/">All monitors</a></p>
    ${titleLine(page)} ${notice} ${unreadNote(monitor)} ${troubleNote(monitor, at)}
    ${ownerNote(owner)} ${unwatchedNote(page)} ${windowNote(page.planned.maintenance, at)}
    ${silenceNotes(page.planned.silences, `/monitors/${monitor.id}`, page.reader, at)}
    ${monitorFigures({ ...page, certificate })}
    <div class="columns level">
      ${isFailing ? wholeRow(checkSection(page, "failed")) : null}
      <div>${daySection(page)} ${pastView(page)} ${gapView(story.gaps, monitor.seenBy)}</div>
      <div>
        ${sightSection(page)} ${notifiedSection(monitor.id, page.channels, page.reader)}
        ${newestChecks(story.newest, monitor, at)}
        ${definitionView(page.definition, certificate?.end ?? null, at)}
      </div>
      ${wholeRow(html`${incidentSection(page)} ${isFailing ? null : checkSection(page, "failed")} ${checkSection(page, "passed")}`)}
    </div>
    ${pathSection(page)}`;
}

/** As wide as both columns. */
const wholeRow = (parts: Html | null): Html | null =>
  parts === null ? null : html`<div class="whole">${parts}</div>`;

function titleLine(page: MonitorPage): Html {
  const { monitor, at, owner } = page;
  const { name, kind, target, status, since, incident } = monitor;
  const began = listedState(monitor) === "flapping" ? (incident?.flaps?.began ?? since) : since;
  return html`<div class="title-line monitor-head">
    <h1 class="target">${breakable(name)}</h1>
    <p class="verdict">
      <span
        >${waitingMark(monitor) ?? statusMark(status)}
        ${isUnchecked(monitor) ? "yet" : heldFor(began, at)}</span
      >
      <span class="kind" title="${target}">${kindTable[kind].label} ${target}</span>
      ${Object.entries(monitor.labels).map(labelChip)} ${filesChip(owner)}
    </p>
    ${monitorActs({ ...page, back: `/monitors/${monitor.id}?${choiceQuery(page)}` })}
  </div>`;
}

/** A new monitor has no data yet, for however short a time. */
const isUnchecked = ({ status, lastCheckedAt }: PicturedMonitor): boolean =>
  status === "unknown" && lastCheckedAt === null;

const labelChip = ([key, value]: readonly [string, string]): Html =>
  html`<a class="chip" href="/?${new URLSearchParams({ label: `${key}:${value}` }).toString()}"
    >${labelWords(key, value)}</a
  >`;

const unreadNote = ({ unread }: PicturedMonitor): Html | null =>
  unread
    ? html`<p class="advice" role="status">
        ${unreadWords} Charts and checks are shown again when the server is back. Its agents keep
        new results until then.
      </p>`
    : null;

/** Why it cannot be paused here, and what can be done at night. */
const ownerNote = (owner: string): Html | null =>
  owner === ""
    ? null
    : html`<p class="notice">
        Managed by ${filesOf(owner)}: change, pause or delete it there. To stop its messages now,
        silence it.
      </p>`;

/** A monitor that someone just made is no good without an agent, and looks as if it only waited. */
function unwatchedNote(page: MonitorPage): Html | null {
  const { monitor, reader } = page;
  if (monitor.status === "inactive") return null;
  if (monitor.seenBy.length === 0)
    return html`<p class="notice">
      Nothing checks this monitor: it has no location. ${monitor.owner === "" ? null : placedInFile}
      ${mayChange(reader) && monitor.owner === "" ? placeLink(page) : null}
    </p>`;
  const [first] = monitor.seenBy;
  if (!page.isWithoutAgent || first === undefined) return null;
  const names = monitor.seenBy.map(({ name }) => name).join(", ");
  return html`<p class="notice">
    Nothing checks this monitor yet: no agent has called from ${names}.
    ${
      mayChange(reader)
        ? html`<a href="/locations/${first.location}/start">Start an agent</a>.`
        : null
    }
  </p>`;
}

/** The next step of a monitor that runs nowhere: to a location of files, no form gives it. */
const placeLink = ({ monitor, picture: { locations } }: MonitorPage): Html =>
  locations.length > 0 && locations.every(({ owner }) => owner !== "")
    ? html`Every location belongs to files: <a href="/locations/new">make a location here</a>, or
        make the monitor in the files.`
    : html`<a href="/monitors/${monitor.id}/edit#field-locations">Choose where it runs</a>.`;

/** What is left of the time that it may be down; nothing without an objective. */
function objectiveLine(
  { alerting }: MonitorPage["definition"],
  { days, status }: PicturedMonitor,
  at: EpochMillis,
): Html | null {
  const { objective } = policyFrom(alerting);
  if (objective === null) return null;
  const budget = errorBudget(objective, days, { now: at, isDown: status === "error" });
  const uptime = budget.uptime === null ? "no data" : `uptime ${budget.uptime}`;
  return html`<p class="objective">
    <strong>Objective ${objectiveWords(objective)}:</strong> ${uptime}. ${budgetWords(budget)}
  </p>`;
}

/** The days begin with the one on which it was made. */
function daySection({ monitor, dayIncidents, definition, at, born, hours }: MonitorPage): Html {
  const uptime = uptimeOf(monitor.days);
  const days = recentDays(monitor.days).filter(({ begin }) => begin + dayLength > born);
  return html`<section aria-labelledby="days">
    <h2 id="days">${daysTitle(days)}${uptime === null ? null : html`: ${uptime} uptime`}</h2>
    ${dayBars(monitor.id, days, dayIncidents, hours)} ${objectiveLine(definition, monitor, at)}
  </section>`;
}

/** A service of today has one day, whatever its bars have room for. */
function daysTitle(days: readonly Day[]): string {
  const known = days.length - daysBefore(days);
  return known <= 1 ? "Today" : `${known} days`;
}

/** Those before the one that is open, which the reason at the top leads to. */
function incidentSection({ monitor, incidents, picture }: MonitorPage): Html | null {
  const open = monitor.incident?.number;
  const earlier = incidents.incidents.filter(({ incident }) => incident.number !== open);
  if (earlier.length === 0) return null;
  const count = incidents.counts.open + incidents.counts.over;
  const rest = count - incidents.incidents.length;
  return html`<section aria-labelledby="incidents">
    <h2 id="incidents">${open === undefined ? "Incidents" : "Earlier incidents"}</h2>
    ${incidentsOfOne(earlier, picture)}
    ${rest === 0 ? null : html`<p><a href="/incidents?monitor=${monitor.id}">All ${count} incidents</a></p>`}
  </section>`;
}

const checkTitles = {
  failed: "Last failing check",
  passed: "Last good check with details",
} as const;

/** The one that says how it is now is open. */
function checkSection(
  { story, monitor, at, reader, definition }: MonitorPage,
  id: "failed" | "passed",
): Html | null {
  const result = id === "failed" ? story.lastFailed : story.lastPassed;
  if (result === null) return null;
  const shown = shownTo(reader, definition);
  const place = monitor.seenBy.find((one) => one.location === result.location)?.name;
  const isNow = (monitor.status === "error") === (id === "failed");
  const plan = { said: saidAbove(monitor), assertions: "here", answer: "first" } as const;
  return html`<section>
    <details id="${id}-check" ${isNow ? html` open` : null}>
      <summary>
        <h2 id="${id}">
          ${result.status === "degraded" ? "Last slow check" : checkTitles[id]}:
          ${latencyWords(fineLatency(result))}, ${checkAge(result, at)}
        </h2>
      </summary>
      ${checkView(result, place ?? String(result.location), at, shown, plan)}
    </details>
  </section>`;
}

function pathSection({ paths, monitor, reader, at }: MonitorPage): Html | null {
  const shown = shownPaths(paths, may(reader, "responder") ? "whole" : "without addresses");
  const nameOf = (location: number): string =>
    monitor.seenBy.find((one) => one.location === location)?.name ?? String(location);
  return pathView(shown, nameOf, at);
}

/** What the reason at the top says already. */
function saidAbove({ reason, lastReason = null }: PicturedMonitor): string | null {
  const said = reason ?? lastReason;
  return said === null ? null : failureSentence(said.message);
}
