import { figureTable } from "#service/edge/figure-table";
import { type Day, uptimeOf } from "#web/page/chart/calendar";
import { uptimeAxis, uptimeBar } from "#web/page/chart/uptime-bar";
import { counted, grouped, isoTime, shortMillis, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { choiceField } from "#service/operator/form-fields";
import {
  type OverviewQuery,
  pictureStates,
  queryText,
  type Sort,
  sorts,
} from "#service/operator/overview-query";
import { type OverviewRow, type OverviewRows, placesOf } from "#service/operator/overview-rows";
import { pickBox } from "#service/operator/monitors/many-form";
import { pagingNav } from "#service/operator/paging-nav";
import type {
  Picture,
  PicturedLocation,
  PicturedMonitor,
  PicturedStatus,
} from "#service/operator/picture";
import { locationMark, statusClass, statusMark, statusWords } from "#service/operator/status-mark";
import { between, type EpochMillis, type Millis } from "#base/units";

export interface Overview {
  readonly picture: Picture;
  readonly query: OverviewQuery;
  readonly found: OverviewRows;
  /** Whether the reader may change something. */
  readonly mayChange: boolean;
}

/** What fails and why, since when and where; then everything else, a line each. */
export function overviewView({ picture, query, found, mayChange }: Overview): Html {
  const { monitors, locations } = picture;
  const silent = locations.filter(({ state }) => state.status === "error");
  return html`<div class="title-line">
      <h1>Overview</h1>
      ${mayChange ? html`<p class="acts"><a class="button main" href="/monitors/new">New monitor</a></p>` : null}
    </div>
    <p class="lede">${verdictOfAll(found.counts, locations.length)}</p>
    ${silent.map(silentLine)}
    ${monitors.length === 0 ? noMonitors : monitorSection({ picture, query, found, mayChange })}
    ${locationSection(locations, picture.at)}`;
}

const noMonitors = html`<p class="advice">
  There is no monitor yet. <a href="/monitors/new">Make the first one</a>, or write some into a file
  and run <code>picket apply -f monitors.yaml --location NAME</code>: docs/reference/monitors.md
  shows the file.
</p>`;

function verdictOfAll(counts: OverviewRows["counts"], locations: number): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const at = `${counted(all, "monitor")} at ${counted(locations, "location")}`;
  const words: Partial<Record<PicturedStatus, string>> = {
    error: "failing",
    degraded: "degraded",
    unknown: "without data",
  };
  const trouble = pictureStates.flatMap((state) => {
    const word = words[state];
    return word === undefined || counts[state] === 0 ? [] : [`${grouped(counts[state])} ${word}`];
  });
  if (trouble.length > 0) return `${trouble.join(", ")}, of ${at}`;
  return all === 0 ? "No monitors" : `${at}, all passing`;
}

const silentLine = ({ id, name, state, monitors }: PicturedLocation): Html =>
  html`<p class="advice">
    <a href="/locations/${id}">${name}</a>: ${state.message}. ${counted(monitors, "monitor")}
    ${monitors === 1 ? "is" : "are"} not seen from there.
  </p>`;

function monitorSection({ picture, query, found, mayChange }: Overview): Html {
  const { rows, matched } = found;
  const list =
    rows.length === 0
      ? html`<p class="advice">No monitor matches. <a href="/">Show all</a></p>`
      : monitorLines(rows, picture, mayChange);
  return html`<section aria-labelledby="monitors">
    <h2 id="monitors">Monitors</h2>
    ${filters(picture, query, found)} ${list} ${paging(query, matched)}
  </section>`;
}

/** Rows below one axis of days; with boxes to select monitors by, if they are wanted. */
export const monitorLines = (
  rows: readonly OverviewRow[],
  { monitors, at }: Picture,
  isPicked = false,
): Html =>
  html`<div class="line-head${isPicked ? " picks" : ""}" aria-hidden="true">
      <span class="bar">${uptimeAxis(monitors[0]?.days ?? [])}</span
      ><span class="share">Uptime</span><span class="latency">Now</span
      ><span class="usual">Median</span>
    </div>
    <ul class="watched${isPicked ? " picks" : ""}">
      ${rows.map((row) => rowItem(row, at, isPicked))}
    </ul>`;

function rowItem(row: OverviewRow, at: EpochMillis, isPicked: boolean): Html {
  if (row.kind === "monitor") return monitorLine(row.monitor, at, isPicked);
  const { reason, monitors, places, status } = row;
  const where = places.length === 0 ? "" : ` at ${places.join(", ")}`;
  return html`<li class="cause">
    <details>
      <summary>
        ${statusMark(status)} ${counted(monitors.length, "monitor")}${where} for one cause:
        <code>${reason.code}</code> in phase <code>${reason.phase}</code>
      </summary>
      <ul class="watched">
        ${monitors.map((monitor) => monitorLine(monitor, at, isPicked))}
      </ul>
    </details>
    <p class="why">${begun(earliest(monitors), at, "")} ${reason.message}</p>
  </li>`;
}

const earliest = (monitors: readonly PicturedMonitor[]): EpochMillis | null =>
  monitors.reduce<EpochMillis | null>(
    (least, { since }) => (since !== null && (least === null || since < least) ? since : least),
    null,
  );

/** One line, and a second one with the reason if it is not well. */
function monitorLine(monitor: PicturedMonitor, at: EpochMillis, isPicked: boolean): Html {
  const { id, name, target, status, days, latency, usual } = monitor;
  return html`<li class="line ${statusClass(status)}" id="m${id}">
    ${isPicked ? pickBox(monitor) : null} ${statusMark(status)}
    <h3><a href="/monitors/${id}">${name}</a></h3>
    <p class="kind">${target}</p>
    ${drawnDays(days)}
    <p class="latency${isUnusual(monitor) ? " unusual" : ""}">${roughly(latency)}</p>
    <p class="usual">${roughly(usual)}</p>
    ${story(monitor, at)}
  </li>`;
}

/** Views have whole milliseconds, of which a ping within one network takes none. */
const roughly = (latency: Millis | null): string => {
  if (latency === null) return "–";
  return latency === 0 ? "< 1 ms" : shortMillis(latency);
};

/** A thousand bars take as long to draw as all the rest, and most days do not change between two pictures. */
const drawn = new WeakMap<readonly Day[], Html>();

export const drawnDays = (days: readonly Day[]): Html =>
  drawn.getOrInsertComputed(
    days,
    () =>
      html`<p class="bar">${uptimeBar(days)}</p>
        <p class="share">${uptimeOf(days) ?? "–"}</p>`,
  );

/** Since when, where, and the sentence of the check; nothing of a monitor that is well. */
function story(monitor: PicturedMonitor, at: EpochMillis): Html | null {
  const { status, since, reason, seenBy } = monitor;
  if (status === "active" || status === "inactive") return null;
  const places = placesOf(monitor);
  const among =
    seenBy.length > 1 ? ` (${places.length} of ${counted(seenBy.length, "location")})` : "";
  const where = places.length === 0 ? "" : ` at ${places.join(", ")}${among}`;
  return html`<p class="why">
    ${begun(since, at, where)} ${reason?.message ?? null} ${incidentLink(monitor.incident)}
  </p>`;
}

/** Whether a person looks at it already is the first thing to know at night. */
const incidentLink = (incident: PicturedMonitor["incident"]): Html | null =>
  incident === null
    ? null
    : html`(<a href="/incidents/${incident.number}">incident ${incident.number}</a
        >${incident.acknowledged ? ", acknowledged" : null})`;

const begun = (since: EpochMillis | null, at: EpochMillis, where: string): Html | null =>
  since === null
    ? null
    : html`<time datetime="${isoTime(since)}">For ${span(between(since, at))}</time>${where}.`;

/** Twice the usual and some more: a hundredth of a second more is nothing to look at. */
const isUnusual = ({ latency, usual }: PicturedMonitor): boolean =>
  latency !== null && usual !== null && latency > usual * 2 && latency > usual + limits.unusualMin;

/** Links and a form, so that what is shown has an address. */
function filters(picture: Picture, query: OverviewQuery, { counts }: OverviewRows): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const choice = (state: PicturedStatus | null, words: string, count: number): Html => {
    const current = query.state === state ? html` aria-current="true"` : null;
    return html`<li>
      <a href="/${queryText({ ...query, state, offset: 0 })}" ${current}
        >${words} <span class="count">${grouped(count)}</span></a
      >
    </li>`;
  };
  const states = pictureStates.filter((state) => counts[state] > 0 || state === query.state);
  return html`<div class="choices">
    <nav aria-label="Monitors by state">
      <ul>
        ${choice(null, "All", all)}${states.map((state) => choice(state, statusWords[state], counts[state]))}
      </ul>
    </nav>
    <form role="search" action="/" method="get" class="filter">
      ${query.state === null ? null : html`<input type="hidden" name="state" value="${query.state}" />`}
      <label>Text <input name="text" type="search" value="${query.text}" /></label>
      ${locationChoice(picture.locations, query)} ${labelChoice(picture.monitors, query)}
      ${choiceField(
        "Order",
        "sort",
        sorts.map((sort) => [sort, sortWords[sort]] as const),
        query.sort,
      )}
      <button type="submit">Show</button>
    </form>
  </div>`;
}

const sortWords: { readonly [S in Sort]: string } = {
  urgency: "urgency",
  name: "name",
  since: "newest change",
  latency: "slower than its median",
  uptime: "most downtime",
};

function locationChoice(
  locations: readonly PicturedLocation[],
  { location }: OverviewQuery,
): Html | null {
  if (locations.length < 2 && location === null) return null;
  const all = locations.map(({ id, name }) => [String(id), name] as const);
  const chosen = location === null ? "" : String(location);
  return choiceField("Location", "location", [["", "all"], ...all], chosen);
}

function labelChoice(monitors: readonly PicturedMonitor[], { label }: OverviewQuery): Html | null {
  const pairs = new Set(
    monitors.flatMap(({ labels }) =>
      Object.entries(labels).map(([key, value]) => `${key}:${value}`),
    ),
  );
  if (pairs.size === 0 && label === "") return null;
  const shown = [...pairs].toSorted().slice(0, limits.labelsOfferedMax);
  const all = shown.map((one) => [one, one] as const);
  return choiceField("Label", "label", [["", "all"], ...all], label);
}

const paging = (query: OverviewQuery, matched: number): Html | null =>
  pagingNav({
    label: "More monitors",
    offset: query.offset,
    size: limits.overviewMonitorsMax,
    matched,
    to: (offset) => `/${queryText({ ...query, offset })}`,
  });

function locationSection(locations: readonly PicturedLocation[], at: EpochMillis): Html | null {
  if (locations.length === 0) return null;
  const rows = locations.map(
    ({ id, name, state, lastSeenAt, monitors }) =>
      html`<tr>
        <th scope="row"><a href="/locations/${id}">${name}</a></th>
        <td>${locationMark(state.status)}</td>
        <td>${lastSeenAt === null ? "never" : `${span(between(lastSeenAt, at))} ago`}</td>
        <td>${grouped(monitors)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="locations">
    <h2 id="locations">Locations</h2>
    ${figureTable("Table of locations", ["Location", "Agents", "Last seen", "Monitors"], rows)}
  </section>`;
}

/** For a title: what is worst, in a word. */
export const worstOf = ({ counts }: OverviewRows): string =>
  counts.error > 0 ? `${grouped(counts.error)} failing · ` : "";
