import { downFor, downSpans } from "#service/alerting/down-spans";
import { counted, grouped, lengthOf } from "#web/page/format";
import { minuteOf, momentOf } from "#web/page/moment";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import {
  type IncidentQuery,
  incidentQueryText,
  type IncidentState,
} from "#service/operator/incidents/incident-query";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import { causeIn } from "#service/alerting/snapshot";
import { incidentMark, subjectWords } from "#service/alerts/incident-words";
import { acknowledgeButton } from "#service/operator/incidents/acknowledge-button";
import { groupRow } from "#service/operator/incidents/group-row";
import type { IncidentRows } from "#service/operator/incidents/rows-of-incidents";
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

interface IncidentListPage extends IncidentRows {
  readonly query: IncidentQuery;
  /** Of the monitors that are shown, all that is seen of them. */
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: string | null;
}

/** Incidents, the open ones first; those of one cause are one row. */
export function incidentListView(page: IncidentListPage): Html {
  const { rows, query, picture, reader } = page;
  const back = `/incidents${incidentQueryText(query)}`;
  return html`${listHead({
      title: "Incidents",
      count: countWords(page),
      sentence: "One opens when enough locations see a monitor fail.",
      acts: null,
    })}
    ${page.notice === null ? null : html`<p class="notice" role="status">${page.notice}</p>`}
    <section aria-labelledby="listed">
      <h2 id="listed" class="unseen">Incidents, the open ones first</h2>
      ${choices(page)}
      ${
        rows.length === 0
          ? html`<p class="advice">
              ${isOfAll(query) ? "No incident yet." : "No incident is like this."}
            </p>`
          : html`<ul class="watched incidents">
              ${rows.map((row) => (row.kind === "cause" ? groupRow(row, { picture, reader, query, back }) : incidentLine(row.one, picture, reader, back)))}
            </ul>`
      }
      ${paging(page)}
    </section>`;
}

const isOfAll = ({ state, monitor, location, offset }: IncidentQuery): boolean =>
  state === null && monitor === null && location === null && offset === 0;

/** `15 open incidents, 4 causes`; the causes are the rows of the list. */
function countWords({ counts: { open }, causes, query }: IncidentListPage): string {
  if (open === 0) return "No open incident";
  const incidents = counted(open, "open incident");
  return !query.grouped || causes === open
    ? incidents
    : `${incidents}, ${counted(causes, "cause")}`;
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
  return html`<li class="incident event outage${incident.ended === null ? "" : " over"}">
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
      ${causeWords(one, locations)}
      ${remarksOf(one, reader !== null).map((remark) => html`<span>${remark}</span> `)}
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

/** Whoever looks at the list first says that they take it; else the row says who did, or when it ended. */
function nextAct({ incident, ...one }: NamedIncident, reader: KnownReader, back: string): Html {
  const { ended, acknowledged, number } = incident;
  if (ended !== null) return html`<p class="next">ended ${minuteOf(ended.at)}</p>`;
  if (acknowledged !== null) return html`<p class="next">acknowledged by ${acknowledged.by}</p>`;
  if (!may(reader, "responder")) return html`<p class="next">not acknowledged</p>`;
  return acknowledgeButton({ number, name: subjectWords({ incident, ...one }), reader, back });
}

function lengthWords({ incident }: NamedIncident, at: EpochMillis): string {
  const often = downSpans(incident).length;
  const down = lengthOf(downFor(incident, at));
  if (often > 1) return `${down} in ${often} stretches`;
  return incident.ended === null
    ? `for ${lengthOf(between(incident.startedAt, at))}`
    : `lasted ${down}`;
}

function remarksOf({ incident }: NamedIncident, saysWho: boolean): readonly string[] {
  const { ended, acknowledged, flapping, noDataSince } = incident;
  if (ended !== null) return [];
  return [
    ...(acknowledged === null || saysWho ? [] : [`acknowledged by ${acknowledged.by}`]),
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
      ${query.grouped ? null : html`<input type="hidden" name="grouped" value="no" />`}
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

const paging = ({ query, matched }: IncidentListPage): Html | null =>
  pagingNav({
    label: "More incidents",
    offset: query.offset,
    size: limits.incidentsListed,
    matched,
    to: (offset) => `/incidents${incidentQueryText({ ...query, offset })}`,
  });
