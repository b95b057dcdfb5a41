import { downFor, downSpans } from "#service/alerting/down-spans";
import { counted, grouped, lengthOf } from "#web/page/format";
import { momentOf } from "#web/page/moment";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import {
  type IncidentQuery,
  incidentQueryText,
  type IncidentState,
  isGrouped,
} from "#service/operator/incidents/incident-query";
import { failureSentence } from "#service/alerts/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import { causeIn } from "#service/alerting/snapshot";
import { incidentMark, subjectWords } from "#service/alerts/incident-words";
import { groupSection } from "#service/operator/incidents/incident-groups";
import type { UngroupedList } from "#service/operator/incidents/incident-list";
import {
  isPassingAgain,
  recoveringMark,
  recoveryWords,
} from "#service/operator/incidents/recovery-words";
import { choiceField, choicesOf } from "#service/operator/form-fields";
import { listHead } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture } from "#service/operator/picture";
import type { NamedIncident } from "#service/store/alert-store";
import { between, type EpochMillis } from "#base/units";

interface IncidentListPage extends UngroupedList {
  readonly query: IncidentQuery;
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: string | null;
}

/** Incidents, the open ones first. */
export function incidentListView(page: IncidentListPage): Html {
  const { incidents, counts, picture, query, groupedCount } = page;
  const open = counts.open === 0 ? "No open incident" : counted(counts.open, "open incident");
  return html`${listHead({
      title: "Incidents",
      count: open,
      sentence: "One opens when enough locations see a monitor fail.",
      acts: null,
    })}
    ${page.notice === null ? null : html`<p class="notice" role="status">${page.notice}</p>`}
    ${isGrouped(query) && query.offset === 0 ? groupSection(picture, page.reader) : null}
    <section aria-labelledby="listed">
      <h2 id="listed" class="unseen">Incidents, the open ones first</h2>
      ${choices(page)}
      ${
        incidents.length > 0
          ? incidentLines(incidents, picture, page.reader, `/incidents${incidentQueryText(query)}`)
          : html`<p class="advice">
              ${groupedCount > 0 ? "All of them are in the groups above." : "No incident is like this."}
            </p>`
      }
      ${paging(page)}
    </section>`;
}

/** A line each: what, since when or for how long, and how it failed. */
export const incidentLines = (
  incidents: readonly ListedIncident[],
  picture: Picture,
  reader: KnownReader | null = null,
  back = "/incidents",
): Html =>
  html`<ul class="watched incidents">
    ${incidents.map((one) => incidentLine(one, picture, reader, back))}
  </ul>`;

function incidentLine(
  one: ListedIncident,
  { at, locations, monitors }: Picture,
  reader: KnownReader | null,
  back: string,
): Html {
  const { incident } = one;
  const monitor = incident.subject.kind === "monitor" ? incident.subject.id : null;
  const now = incident.ended === null ? monitors.find(({ id }) => id === monitor) : undefined;
  const reason = now?.reason ?? null;
  const recovery = now?.recovery ?? null;
  return html`<li class="incident event">
    ${isPassingAgain(incident, now ?? null) ? recoveringMark : incidentMark(incident)}
    <h3><a href="/incidents/${incident.number}">${subjectWords(one)}</a></h3>
    <p class="length">${lengthWords(one, at)}</p>
    <p class="why">
      ${reason === null || reason.message === "" ? one.sentence : failureSentence(reason.message)}
      ${recovery === null ? null : html`<span class="recovering">${recoveryWords(recovery)}.</span>`}
    </p>
    <p class="meta">
      <span>Incident ${incident.number}</span>
      <span>began ${momentOf(incident.startedAt)}</span>
      ${causeWords(one, locations)} ${remarksOf(one).map((remark) => html`<span>${remark}</span> `)}
    </p>
    ${reader === null ? null : nextAct(one, reader, back)}
  </li>`;
}

/** Its code and phase, and where it was seen first; null if nothing is known. */
function causeWords({ cause }: NamedIncident, locations: Picture["locations"]): Html | null {
  const known = causeIn(cause);
  if (known === null) return null;
  const place = locations.find(({ id }) => id === known.location)?.name ?? null;
  return html`<span>${failureName(known)}${place === null ? null : ` at ${place}`}</span>`;
}

/** Whoever looks at the list first says that they take it. */
function nextAct(
  { incident, ...one }: NamedIncident,
  reader: KnownReader,
  back: string,
): Html | null {
  if (incident.ended !== null || incident.acknowledged !== null) return null;
  if (!may(reader, "responder")) return null;
  return html`<form class="next" method="post" action="/incidents/${incident.number}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${back}" />
    <button
      type="submit"
      class="small"
      aria-label="Acknowledge: ${subjectWords({ incident, ...one })}"
    >
      Acknowledge
    </button>
  </form>`;
}

function lengthWords({ incident }: NamedIncident, at: EpochMillis): string {
  const often = downSpans(incident).length;
  const down = lengthOf(downFor(incident, at));
  if (often > 1) return `${down} in ${often} stretches`;
  return incident.ended === null
    ? `for ${lengthOf(between(incident.startedAt, at))}`
    : `lasted ${down}`;
}

function remarksOf({ incident }: NamedIncident): readonly string[] {
  const { ended, acknowledged, flapping, noDataSince } = incident;
  if (ended !== null) return [];
  return [
    ...(acknowledged === null ? [] : [`acknowledged by ${acknowledged.by}`]),
    ...(flapping === null ? [] : ["flapping"]),
    ...(noDataSince === null ? [] : ["no data"]),
  ];
}

function choices({ query, counts, picture }: IncidentListPage): Html {
  const choice = (state: IncidentState | null, words: string, count: number): Html => {
    const current = query.state === state ? html` aria-current="true"` : null;
    return html`<li>
      <a href="/incidents${incidentQueryText({ ...query, state, offset: 0 })}" ${current}
        >${words} <span class="count">${grouped(count)}</span></a
      >
    </li>`;
  };
  return html`<div class="choices">
    <nav aria-label="Incidents by state">
      <ul>
        ${choice(null, "All", counts.open + counts.over)} ${choice("open", "Open", counts.open)}
        ${choice("over", "Resolved", counts.over)}
      </ul>
    </nav>
    <form role="search" action="/incidents" method="get" class="filter">
      ${query.state === null ? null : html`<input type="hidden" name="state" value="${query.state}" />`}
      ${selection("Monitor", "monitor", picture.monitors, query.monitor)}
      ${selection("Location", "location", picture.locations, query.location)}
      <button type="submit">Filter</button>
    </form>
  </div>`;
}

function selection(
  words: string,
  name: string,
  all: readonly { readonly id: number; readonly name: string }[],
  chosen: number | null,
): Html {
  const value = chosen === null ? "" : String(chosen);
  const shown = choicesOf(all).slice(0, limits.monitorsOfferedMax);
  const isListed = chosen === null || shown.some(([id]) => id === value);
  const unlisted = isListed ? [] : [[value, value] as const];
  return choiceField(words, name, [["", "All"], ...unlisted, ...shown], value);
}

const paging = ({ query, counts, groupedCount }: IncidentListPage): Html | null =>
  pagingNav({
    label: "More incidents",
    offset: query.offset,
    size: limits.incidentsListed,
    matched:
      (query.state === null ? counts.open + counts.over : counts[query.state]) - groupedCount,
    to: (offset) => `/incidents${incidentQueryText({ ...query, offset })}`,
  });
