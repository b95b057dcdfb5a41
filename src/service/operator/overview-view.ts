import { lineHead, type LinesChoice } from "#service/operator/lists/line-head";
import { verdictOfAll } from "#service/operator/lists/overview-verdict";
import { waitingMark, waitingWords } from "#service/operator/incidents/recovery-words";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { type Day, daysInWords, recentDays, stateOfDay, uptimeOf } from "#web/page/chart/calendar";
import { uptimeBar } from "#web/page/chart/uptime-bar";
import { counted, grouped } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { isUnusual, latest } from "#service/operator/monitors/line-latency";
import { lineMedian } from "#service/operator/monitors/line-median";
import { filters } from "#service/operator/overview-filters";
import { firstQuery, type OverviewQuery, queryText } from "#service/operator/overview-query";
import type { OverviewRow, OverviewRows } from "#service/operator/overview-rows";
import { lineAbout, lineLabels } from "#service/operator/monitors/line-about";
import { failsAnew, heldFor, troubledSince } from "#service/operator/monitors/failed-for";
import { placesOf } from "#service/operator/monitors/cause-groups";
import { type CauseLook, causeRow } from "#service/operator/monitors/cause-row";
import { pickBox, pickUnshown } from "#service/operator/monitors/many-form";
import { type BoxStates, boxStates, type Picks } from "#service/operator/monitors/picks";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { plannedChips, plannedChipsOf } from "#service/operator/planned/planned-chips";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { Role } from "#service/store/people-store";
import { unreadLine, unreadWords } from "#service/operator/unread-words";
import { isSilent, silentBox } from "#service/operator/locations/silent-location";
import { locationSection } from "#service/operator/locations/location-summary";
import { incidentLink } from "#service/operator/incidents/incident-link";
import { placedInFile } from "#service/operator/managed-note";
import { statusClass, statusMark } from "#service/operator/status-mark";
import type { EpochMillis } from "#base/units";

export interface Overview {
  readonly picture: Picture;
  readonly query: OverviewQuery;
  readonly found: OverviewRows;
  readonly drawnFor: DrawnFor;
  /** What is selected as it opens. */
  readonly picks: Picks;
}

/** Whom an overview is for: it is the same for all who may do the same with it. Owners see what editors see. */
export type DrawnFor = Exclude<Role, "owner">;

/** What fails and why, since when and where; then everything else, a line each. */
export function overviewView(overview: Overview): Html {
  const { picture, query, found, drawnFor } = overview;
  const { locations } = picture;
  const verdict = `${verdictOfAll(found.counts, locations.length)}${foundWords(query, found)}`;
  const silent = locations.filter(isSilent);
  return html`${listHead({
    title: "Monitors",
    count: verdict,
    sentence: "A monitor checks one target from each of its locations.",
    acts: drawnFor === "editor" ? mainAct("/monitors/new", "New monitor") : null,
  })}
  ${unreadLine(found.rows)} ${silent.map((one) => silentBox(one, picture.monitors))}
  ${Object.values(found.counts).every((count) => count === 0) ? noMonitors : monitorSection(overview)}
  ${locationSection(locations, picture.at)}`;
}

const noMonitors = html`<p class="advice">
  There is no monitor yet. <a href="/monitors/new">Create the first one</a>, or write some into a
  file and run <code>picket apply -f monitors.yaml --location NAME</code>:
  docs/reference/monitors.md shows the file.
</p>`;

/** How many of them are shown, if a person searches. */
const foundWords = ({ text, label, location }: OverviewQuery, { matched }: OverviewRows): string =>
  text === "" && label === "" && location === null ? "" : `; ${grouped(matched)} found`;

function monitorSection({ picture, query, found, drawnFor, picks }: Overview): Html {
  const { rows } = found;
  const picked = drawnFor === "reader" ? null : boxStates(picks, found.ordered, rows);
  const list =
    rows.length === 0
      ? html`<p class="advice">
          No monitor matches.
          <a href="/${queryText({ ...firstQuery, view: query.view })}">Show all</a>
        </p>`
      : monitorLines(rows, picture, { picked, query });
  return html`<section aria-labelledby="monitors">
    <h2 id="monitors" class="unseen">All monitors</h2>
    ${filters(picture, query, found)} ${picked === null ? null : pickUnshown(picked.unshown)}
    ${list} ${paging(query, found.rowsInAll)}
  </section>`;
}

/** Rows below one axis of days; with boxes to select monitors by, if they are wanted. */
export function monitorLines(
  rows: readonly OverviewRow[],
  picture: Picture,
  { picked, query }: LinesChoice,
): Html {
  const count = daysShownOf(picture);
  const look = `${picked === null ? "" : " picks"}${query.view === "compact" ? " compact" : ""}`;
  const words = `${count} ${picked !== null} ${queryText(query)}`;
  const row = { picture, at: picture.at, picked, query, count, words };
  return html`${lineHead(picture, { picked, query }, count, look)}
    <ul class="watched${look}">
      ${rows.map((one) => rowItem(one, row))}
    </ul>`;
}

/** What all rows of one list have in common. */
interface RowLook {
  readonly picture: Picture;
  readonly at: EpochMillis;
  readonly picked: BoxStates | null;
  /** What else is asked for when a label is chosen. */
  readonly query: OverviewQuery;
  /** How many days its bars have. */
  readonly count: number;
  /** What of all this the line of a monitor that is well depends on. */
  readonly words: string;
}

/** The bars of all monitors have the days that the oldest one needs: they are below one axis. */
const daysShown = new WeakMap<Picture, number>();
const daysShownOf = (picture: Picture): number =>
  daysShown.getOrInsertComputed(picture, ({ monitors }) => {
    let count: number = limits.daysShownChoices[0];
    for (const { days } of monitors) {
      if (count >= limits.daysShown) break;
      count = Math.max(count, recentDays(days).length);
    }
    return count;
  });

const rowItem = (row: OverviewRow, look: RowLook): Html =>
  row.kind === "monitor"
    ? monitorLine(row.monitor, look)
    : causeRow(row, lookOfCause(look), (monitor, picked) =>
        monitorLine(monitor, { ...look, picked }),
      );

const lookOfCause = (look: RowLook): CauseLook => ({
  ...look,
  drawn: (days) => drawnDays(days, look.count),
  chips: (monitors) => plannedChipsOf(look.picture, monitors),
});

/** A verdict turns few monitors: the lines of the others are as they were. */
const lines = new WeakMap<PicturedMonitor, { readonly key: string; readonly line: Html }>();

/** One line, and a second one with the reason if it is not well. */
function monitorLine(monitor: PicturedMonitor, look: RowLook): Html {
  const { picture, picked, words } = look;
  const isPicked = picked?.ids.has(monitor.id) === true;
  const chips = plannedChips(picture, monitor);
  const why = story(monitor, look.at);
  if (chips !== null || why !== null) return lineOf(monitor, look, { isPicked, chips, why });
  const key = `${words} ${isPicked}`;
  const known = lines.get(monitor);
  if (known?.key === key) return known.line;
  const line = lineOf(monitor, look, { isPicked, chips, why });
  lines.set(monitor, { key, line });
  return line;
}

interface LineParts {
  readonly isPicked: boolean;
  readonly chips: Html | null;
  readonly why: Html | null;
}

function lineOf(
  monitor: PicturedMonitor,
  { picked, count, query }: RowLook,
  { isPicked, chips, why }: LineParts,
): Html {
  const { id, name, status, days } = monitor;
  // A compact line may cut its name.
  const link =
    query.view === "compact"
      ? html`<a href="/monitors/${id}" title="${name}">${breakable(name)}</a>`
      : html`<a href="/monitors/${id}">${breakable(name)}</a>`;
  return html`<li class="line ${statusClass(status)}" id="m${id}">
    ${picked === null ? null : pickBox(monitor, isPicked)}
    ${waitingMark(monitor) ?? statusMark(status)}
    <div class="who">
      <h3>${link}${chips}</h3>
      ${lineLabels(monitor, query)}
    </div>
    ${lineAbout(monitor)} ${drawnDays(days, count)}
    <p class="latency${isUnusual(monitor) ? " unusual" : ""}">${latest(monitor)}</p>
    ${lineMedian(monitor)} ${why}
  </li>`;
}

/** A thousand bars take as long to draw as all the rest, and most days do not change between two pictures. */
const drawn = new WeakMap<readonly Day[], Map<number, Html>>();

const drawnDays = (days: readonly Day[], count: number): Html =>
  drawn
    .getOrInsertComputed(days, () => new Map())
    .getOrInsertComputed(count, () => {
      const shown = days.slice(-count);
      return html`<span class="bar" title="${daysInWords(shown, shown.map(stateOfDay))}"
          >${uptimeBar(shown)}</span
        >
        <span class="share">${uptimeOf(days) ?? "–"}</span>`;
    });

/** Since when, where, and the sentence of the check; nothing of a monitor that is well. */
function story(monitor: PicturedMonitor, at: EpochMillis): Html | null {
  const { status, reason, seenBy, incident } = monitor;
  const waiting = waitingWords(monitor, at);
  if (monitor.unread) return html`<p class="why">${unreadWords}</p>`;
  if (status === "active" && waiting !== null)
    return html`<p class="why">${waiting}. ${incidentLink(incident)}</p>`;
  if (status === "active" || status === "inactive") return null;
  if (seenBy.length === 0) return unplaced(monitor);
  const places = placesOf(monitor);
  const among =
    seenBy.length > 1 ? ` (${places.length} of ${counted(seenBy.length, "location")})` : "";
  const where = places.length === 0 ? "" : ` at ${places.join(", ")}${among}`;
  if (status === "unknown" && isNew(monitor))
    return html`<p class="why">Waiting for its first check${where}.</p>`;
  const flapping = status === "unknown" ? null : (incident?.flapping ?? null);
  return html`<p class="why">
    ${flapping !== null ? html`${waiting}${flapping === "down" ? where : null}.` : begun(status === "unknown" ? monitor.since : troubledSince(monitor), at, where)}
    ${failsAnew(monitor) ? "Now: " : null}${reason === null ? unseen(monitor) : failureSentence(reason.message)}
    ${incidentLink(incident ?? reason?.incident ?? null)}
  </p>`;
}

/** Whether no location has checked it yet: for how long it has been without data says nothing then. */
const isNew = ({ lastCheckedAt, seenBy }: PicturedMonitor): boolean =>
  lastCheckedAt === null && seenBy.every(({ slot }) => slot === null);

/** Of one without data: where it was seen before. */
function unseen({ status, seenBy }: PicturedMonitor): string | null {
  const late = status === "unknown" ? seenBy.filter(({ stale }) => stale) : [];
  return late.length === 0
    ? null
    : `No fresh result from ${late.map(({ name }) => name).join(", ")}.`;
}

/** What no location checks will never have data. */
const unplaced = ({ id, owner }: PicturedMonitor): Html =>
  owner === ""
    ? html`<p class="why">
        No location checks it: <a href="/monitors/${id}/edit#field-locations">choose one</a>.
      </p>`
    : html`<p class="why">No location checks it. ${placedInFile}</p>`;

const begun = (since: EpochMillis | null, at: EpochMillis, where: string): Html | null =>
  since === null ? null : html`${heldFor(since, at, "For")}${where}.`;

const paging = (query: OverviewQuery, rows: number): Html | null =>
  pagingNav({
    label: "More monitors",
    offset: query.offset,
    size: limits.overviewLinesMax,
    matched: rows,
    to: (offset) => `/${queryText({ ...query, offset })}`,
  });

/** For a title: what is worst, in a word. */
export const worstOf = ({ counts }: OverviewRows): string =>
  [[counts.error, "failing"] as const, [counts.flapping, "flapping"] as const]
    .flatMap(([count, word]) => (count > 0 ? [`${grouped(count)} ${word} · `] : []))
    .join("");
