import { nameOrder } from "#base/name-order";
import { shownLength } from "#base/duration";
import { shownDownFor } from "#service/alerting/down-spans";
import { counted, grouped, lastingLength, lengthOf } from "#web/page/format";
import { momentOf } from "#web/page/moment";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import {
  type IncidentQuery,
  incidentQueryText,
  type IncidentState,
} from "#service/operator/incidents/incident-query";
import { failureName } from "#service/operator/failures/failure-words";
import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import { causeIn } from "#service/alerting/snapshot";
import { subjectWords } from "#service/alerts/incident-words";
import { acknowledgeButton } from "#service/operator/incidents/acknowledge-button";
import { groupRow } from "#service/operator/incidents/group-row";
import { acknowledgeOpen } from "#service/operator/incidents/acknowledge-open";
import type { IncidentRow, IncidentRows } from "#service/operator/incidents/rows-of-incidents";
import { incidentNowMark, waitingWords } from "#service/operator/incidents/recovery-words";
import { reasonNow, whyNow } from "#service/operator/incidents/slow-now";
import { downWord, oftenWords } from "#service/operator/incidents/times-words";
import { choiceField, choicesOf } from "#service/operator/form-fields";
import { listHead } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { plannedChips } from "#service/operator/planned/planned-chips";
import { deletedMark } from "#service/operator/incidents/story-mark";
import { placeList } from "#service/operator/lists/place-list";
import { seenWords } from "#service/operator/lists/seen-words";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { NamedIncident } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

interface IncidentListPage extends IncidentRows {
  readonly query: IncidentQuery;
  /** The monitors that its filter offers. */
  readonly offered: readonly PicturedMonitor[];
  /** The numbers of all open ones of the query that no one has acknowledged; none for whoever may not do that. */
  readonly waiting: readonly number[];
  /** Of the monitors that are shown, all that is seen of them. */
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: string | null;
}

/** Incidents, the open ones first; those of one cause are one row. */
export function incidentListView(page: IncidentListPage): Html {
  const { rows, query } = page;
  const back = `/incidents${incidentQueryText(query)}`;
  return html`${listHead({
      title: "Incidents",
      count: countWords(page),
      sentence: `One opens when enough locations see a monitor fail. ${sortWords(query)}`,
      acts: null,
      form: acknowledgeOpen(page, page.counts.open, back),
    })}
    ${query.numbers === null ? null : ofMessage}
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
              ${rows.map((row) => rowOf(row, page, back))}
            </ul>`
      }
      ${paging(page)}
    </section>`;
}

const ofMessage = html`<p class="advice">
  Only incidents of one message are shown. <a href="/incidents">Show all incidents</a>
</p>`;

const sortWords = ({ state }: IncidentQuery): string =>
  state === "over"
    ? "The newest comes first."
    : "Unacknowledged first, then the worst, then the newest.";

function rowOf(row: IncidentRow, { picture, reader, query }: IncidentListPage, back: string): Html {
  if (row.kind === "cause") return groupRow(row, { picture, reader, query, back });
  return row.isDeleted ? deletedLine(row.one) : incidentLine(row.one, picture, { reader, back });
}

const isOfAll = ({ state, monitor, location, numbers, offset }: IncidentQuery): boolean =>
  [state, monitor, location, numbers].every((one) => one === null) && offset === 0;

/** `15 open incidents, 4 causes`; the causes are the rows of the list. */
function countWords({ counts: { open }, causes, query }: IncidentListPage): string {
  if (open === 0) return "No open incident";
  const incidents = counted(open, "open incident");
  return !query.grouped || causes === open
    ? incidents
    : `${incidents}, ${counted(causes, "cause")}`;
}

/** Those of one monitor, on its page, a line each: its number, for how long, and how it failed. */
export const incidentsOfOne = (incidents: readonly ListedIncident[], picture: Picture): Html =>
  html`<ul class="watched incidents">
    ${incidents.map((one) => incidentLine(one, picture))}
  </ul>`;

interface ListReader {
  readonly reader: KnownReader;
  /** Where its forms lead back to. */
  readonly back: string;
}

function incidentLine(one: ListedIncident, picture: Picture, list: ListReader | null = null): Html {
  const { at, locations, monitors } = picture;
  const { incident } = one;
  const monitor = incident.subject.kind === "monitor" ? incident.subject.id : null;
  const now = incident.ended === null ? monitors.find(({ id }) => id === monitor) : undefined;
  const waiting = now === undefined ? null : waitingWords(now, at);
  const title = linkTo(one, list === null ? numberWords(one) : subjectWords(one));
  return html`<li class="incident event outage${incident.ended === null ? "" : " over"}">
    ${incidentNowMark(incident, now ?? null)}
    <h3>${title}${now === undefined ? null : plannedChips(picture, now)}</h3>
    <p class="length">${lengthWords(one, at)}</p>
    <p class="why">${whyNow(one, now ?? null, at)}</p>
    <p class="meta">
      ${list === null ? null : html`<span>${numberWords(one)}</span>`}
      <span>began ${momentOf(incident.startedAt)}</span>
      ${takenBy(one)} ${causeWords(one, now ?? null, locations)}
      ${remarksOf(one, waiting).map((remark) => html`<span>${remark}</span> `)}
    </p>
    ${list === null ? null : nextAct(one, list)}
  </li>`;
}

const linkTo = ({ incident }: ListedIncident, words: string): Html =>
  html`<a href="/incidents/${incident.number}">${breakable(words)}</a>`;

const numberWords = ({ incident }: ListedIncident): string => `Incident ${incident.number}`;

/** What it is about was deleted and can be put back: its own page says until when, and does it. */
const deletedLine = (one: ListedIncident): Html =>
  html`<li class="incident event outage over">
    ${deletedMark(one.incident.subject.kind)}
    <h3>${linkTo(one, subjectWords(one))}</h3>
    <p class="length">deleted</p>
    <p class="why">${one.sentence}</p>
    <p class="meta">
      <span>${numberWords(one)}</span>
      <span>began ${momentOf(one.incident.startedAt)}</span>
    </p>
    <p class="next">can be restored</p>
  </li>`;

/** The code and phase of what the line says, and which locations see it; null if nothing is known. */
function causeWords(
  one: ListedIncident,
  now: PicturedMonitor | null,
  locations: Picture["locations"],
): Html | null {
  const shown = reasonNow(one, now) ?? one.failure;
  if (shown === null || shown.code === "") return null;
  const seen = now === null ? "" : seenWords(now);
  const where = seen === "" ? placeList(placesThen(one, locations)) : seen;
  // Others may have seen it later: its page says which.
  const at = seen === "" && one.isPartly ? ", first at " : " at ";
  return html`<span>${failureName(shown)}${where === "" ? null : `${at}${where}`}</span>`;
}

/** Who saw what is over, or passes again, as it opened. Of one whose opening is not kept that is where it failed last. */
function placesThen(
  { cause, failure, places }: ListedIncident,
  locations: Picture["locations"],
): readonly string[] {
  if (places.length > 0) return places;
  const place = (failure ?? causeIn(cause))?.location;
  return locations.filter(({ id }) => id === place).map(({ name }) => name);
}

/** A name may be long: it is on the line below, which has room. */
const takenBy = ({ incident: { ended, acknowledged } }: NamedIncident): Html | null =>
  ended !== null || acknowledged === null
    ? null
    : html`<span class="names">acknowledged by ${breakable(acknowledged.by)}</span>`;

/** Whoever looks at the list first says that they take it; of one that is over it is when it ended. */
function nextAct({ incident, ...one }: NamedIncident, { reader, back }: ListReader): Html | null {
  const { ended, acknowledged, number } = incident;
  if (ended !== null) return html`<p class="next">ended ${momentOf(ended.at)}</p>`;
  if (acknowledged !== null) return null;
  if (!may(reader, "responder")) return html`<p class="next">not acknowledged</p>`;
  return acknowledgeButton({ number, name: subjectWords({ incident, ...one }), reader, back });
}

/** `for 14 min`, and of what was well in between how much of that it was not. */
function lengthWords({ incident, downFor }: ListedIncident, at: EpochMillis): string {
  const { startedAt, ended } = incident;
  const words = ended === null ? lastingLength : lengthOf;
  const whole = words(shownLength(startedAt, ended?.at ?? at));
  const lasting = ended === null ? `for ${whole}` : `lasted ${whole}`;
  return oftenWords(incident) === null
    ? lasting
    : `${lasting}, ${words(downFor ?? shownDownFor(incident, at))} ${downWord(incident)}`;
}

/** What is said of how a monitor flaps has both already: how often it failed, and how it is now. */
function remarksOf({ incident }: NamedIncident, waiting: string | null): readonly string[] {
  const { ended, flapping, noDataSince } = incident;
  const often = oftenWords(incident);
  const times = often === null ? [] : [often];
  if (ended !== null) return times;
  const isSaid = flapping !== null && waiting !== null;
  return [
    ...(isSaid ? [] : times),
    ...(isSaid || flapping === null ? [] : [flapping.isDown ? "down now" : "up now"]),
    ...(noDataSince === null ? [] : ["no data"]),
  ];
}

function choices({ query, counts, picture, offered }: IncidentListPage): Html {
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
        ${choice("over", "Closed", counts.over)}
      </ul>
    </nav>
    <form role="search" action="/incidents" method="get" class="filter">
      ${query.state === null ? null : html`<input type="hidden" name="state" value="${query.state}" />`}
      ${query.grouped ? null : html`<input type="hidden" name="grouped" value="no" />`}
      ${selection("Monitor", "monitor", choicesInOrder(withChosen(offered, picture.monitors, query.monitor)), query.monitor)}
      ${selection("Location", "location", choicesOf(picture.locations).slice(0, limits.locationsOfferedMax), query.location)}
      <button type="submit">Filter</button>
    </form>
  </div>`;
}

/** A monitor that is chosen, e.g. by a link of its page, is there by its name though it had no incident of late. */
function withChosen(
  offered: readonly PicturedMonitor[],
  all: readonly PicturedMonitor[],
  chosen: number | null,
): readonly PicturedMonitor[] {
  const isOffered = chosen === null || offered.some(({ id }) => id === chosen);
  return isOffered ? offered : [...all.filter(({ id }) => id === chosen), ...offered];
}

const choicesInOrder = (
  all: readonly PicturedMonitor[],
): readonly (readonly [value: string, words: string])[] =>
  all.toSorted((a, b) => nameOrder(a.name, b.name)).map(({ id, name }) => [String(id), name]);

function selection(
  words: string,
  name: string,
  shown: readonly (readonly [value: string, words: string])[],
  chosen: number | null,
): Html {
  const value = chosen === null ? "" : String(chosen);
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
