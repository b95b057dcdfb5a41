import { pairWords } from "#service/operator/lists/label-words";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField } from "#service/operator/form-fields";
import {
  type OverviewQuery,
  pictureStates,
  queryText,
  type Sort,
  sorts,
} from "#service/operator/overview-query";
import type { OverviewRows } from "#service/operator/overview-rows";
import { type PlannedState, plannedStates } from "#service/operator/planned/planned-monitors";
import type { Picture, PicturedLocation, ListedState } from "#service/operator/picture";
import { statusClass, statusWords } from "#service/operator/status-mark";

/** Links and a form, so that what is shown has an address. */
export function filters(picture: Picture, query: OverviewQuery, found: OverviewRows): Html {
  const { counts, searched } = found;
  const isOfState = !query.unheard && query.planned === null;
  const choice = (state: ListedState | null, words: string): Html =>
    tile(query, {
      look: state === null ? "all" : lookOf(state, found),
      words,
      chosen: { ...noTile, state },
      isChosen: isOfState && query.state === state,
      count: countIn(counts, state),
      searched: searched === null ? null : countIn(searched.counts, state),
    });
  const states = pictureStates.filter((state) => counts[state] > 0 || state === query.state);
  return html`<div class="choices found">
    <nav aria-label="Monitors by state">
      <ul>
        ${choice(null, "All")}${states.map((state) => choice(state, statusWords[state]))}${plannedStates.flatMap((state) => plannedChoice(query, found, state) ?? [])}${unheardChoice(query, found)}
      </ul>
    </nav>
    <form role="search" action="/" method="get" class="filter">
      ${query.state === null ? null : html`<input type="hidden" name="state" value="${query.state}" />`}
      ${query.unheard ? html`<input type="hidden" name="unheard" value="yes" />` : null}
      ${query.planned === null ? null : html`<input type="hidden" name="planned" value="${query.planned}" />`}
      ${query.view === "compact" ? html`<input type="hidden" name="view" value="compact" />` : null}
      <label class="search"
        >Search
        <input name="text" type="search" value="${query.text}" placeholder="Name, target or label"
      /></label>
      ${moreChoices(picture, query)}
    </form>
  </div>`;
}

/** What the tiles choose, one at a time. */
const noTile = { state: null, unheard: false, planned: null, offset: 0 } as const;

interface Tile {
  readonly look: string;
  readonly words: string;
  /** What it shows. */
  readonly chosen: Pick<OverviewQuery, keyof typeof noTile>;
  readonly isChosen: boolean;
  readonly count: number;
  /** How many of what is searched for; null if nothing is. */
  readonly searched: number | null;
}

const tile = (
  query: OverviewQuery,
  { look, words, chosen, isChosen, count, searched }: Tile,
): Html =>
  html`<li class="${look}">
    <a href="/${queryText({ ...query, ...chosen })}" ${isChosen ? html` aria-current="true"` : null}
      >${words} ${tileCount(count, searched)}</a
    >
  </li>`;

/** As red as the worst line behind it. */
const lookOf = (state: ListedState, { flapsDown }: OverviewRows): string =>
  statusClass(state === "flapping" && flapsDown ? "error" : state);

const countIn = (counts: OverviewRows["counts"], state: ListedState | null): number =>
  state === null ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[state];

/** `4`, or `2 of 4` of what a person searches for. */
const tileCount = (all: number, searched: number | null): Html =>
  searched === null
    ? html`<span class="count">${grouped(all)}</span>`
    : html`<span class="count">${grouped(searched)} <small>of ${grouped(all)}</small></span>`;

/** What else is chosen; on a phone it is one button, so that the first rows are in view. */
function moreChoices(picture: Picture, query: OverviewQuery): Html {
  const chosen = [query.location !== null, query.label !== "", query.sort !== "urgency"];
  const count = chosen.filter(Boolean).length;
  return html`<details id="more-choices" class="fold">
    <summary class="button">Filter${count === 0 ? null : `: ${count}`}</summary>
    <div class="more-choices">
      ${locationChoice(picture.locations, query)} ${labelChoice(picture.labels, query)}
      ${choiceField(
        "Sort by",
        "sort",
        sortsOf(picture).map((sort) => [sort, sortWords[sort]] as const),
        query.sort,
      )}
      <button type="submit">Search</button>
    </div>
  </details>`;
}

/** Monitors that notify no one; nothing if there is none. */
const unheardChoice = (
  query: OverviewQuery,
  { unheard: count, searched }: OverviewRows,
): Html | null =>
  count === 0 && !query.unheard
    ? null
    : tile(query, {
        look: "unheard",
        words: `${count === 1 ? "Notifies" : "Notify"} no one`,
        chosen: { ...noTile, unheard: true },
        isChosen: query.unheard,
        count,
        searched: searched?.unheard ?? null,
      });

/** Monitors about which nothing is sent now; nothing if there is none. */
function plannedChoice(
  query: OverviewQuery,
  { planned, searched }: OverviewRows,
  state: PlannedState,
): Html | null {
  const isChosen = query.planned === state;
  if (planned[state] === 0 && !isChosen) return null;
  return tile(query, {
    look: "planned",
    words: plannedWords[state],
    chosen: { ...noTile, planned: state },
    isChosen,
    count: planned[state],
    searched: searched?.planned[state] ?? null,
  });
}

const plannedWords: { readonly [S in PlannedState]: string } = {
  silenced: "Silenced",
  maintenance: "Maintenance",
};

/** Of a large service, latencies and days are read only of what is shown. */
export const sortsOf = ({ detail }: Picture): readonly Sort[] =>
  sorts.filter((sort) => detail === "whole" || (sort !== "latency" && sort !== "uptime"));

const sortWords: { readonly [S in Sort]: string } = {
  urgency: "Urgency",
  name: "Name",
  since: "Last change",
  latency: "Slowdown",
  uptime: "Downtime",
};

function locationChoice(
  locations: readonly PicturedLocation[],
  { location }: OverviewQuery,
): Html | null {
  if (locations.length < 2 && location === null) return null;
  const all = locations.map(({ id, name }) => [String(id), name] as const);
  const chosen = location === null ? "" : String(location);
  return choiceField("Location", "location", [["", "All"], ...all], chosen);
}

function labelChoice(labels: readonly string[], { label }: OverviewQuery): Html | null {
  if (labels.length === 0 && label === "") return null;
  const all = labels.map((one) => [one, pairWords(one)] as const);
  return choiceField("Label", "label", [["", "All"], ...all], label);
}
