import { uptimeAxis } from "#web/page/chart/uptime-bar";
import { html, type Html } from "#web/page/html";
import { sortArrow } from "#service/operator/lists/sort-arrow";
import { viewSwitch } from "#service/operator/lists/view-switch";
import { manyFormId, nothingByEnter, pickAll } from "#service/operator/monitors/many-form";
import type { BoxStates } from "#service/operator/monitors/picks";
import { sortsOf } from "#service/operator/overview-filters";
import { type OverviewQuery, queryText } from "#service/operator/overview-query";
import type { Picture } from "#service/operator/picture";

/** How lines are shown that can be selected and sorted: how their boxes are, and which query they are of. */
export interface LinesChoice {
  /** Null: none can be selected. */
  readonly picked: BoxStates | null;
  readonly query: OverviewQuery;
}

/** Above the lines: what selects all of them, how high they are, and the heads of their columns, which sort them. */
export function lineHead(
  picture: Picture,
  { picked, query }: LinesChoice,
  count: number,
  look: string,
): Html {
  const head = (area: string, words: string, sort: "uptime" | "latency"): Html =>
    sortHead(area, words, sort, sortsOf(picture).includes(sort) ? query : null);
  return html`<div class="line-head${look}">
    ${picked === null ? null : pickAll(picked)} ${picked === null ? null : nothingByEnter}
    ${viewSwitch(query, manyFormId)}
    <span class="bar" aria-hidden="true"
      >${uptimeAxis((picture.monitors[0]?.days ?? []).slice(-count))}</span
    >${head("share", `Uptime ${count} d`, "uptime")}${head("latency", "Latest", "latency")}<span
      class="usual"
      aria-hidden="true"
      >Median 7 d</span
    >
  </div>`;
}

/** How the figures of a column stand when its worst is first: the lowest uptime, and what is slowest. */
const directions = { uptime: "ascending", latency: "descending" } as const;

/** The head of a column of figures; it sorts by what is worst in it. */
function sortHead(
  area: string,
  words: string,
  sort: keyof typeof directions,
  query: OverviewQuery | null,
): Html {
  if (query === null) return html`<span class="${area}" aria-hidden="true">${words}</span>`;
  const isCurrent = query.sort === sort;
  const to = queryText({ ...query, sort: isCurrent ? "urgency" : sort, offset: 0 });
  return html`<span class="${area}"
    ><a
      href="/${to}"
      aria-label="${words}, worst first"
      ${isCurrent ? html` aria-current="true"` : null}
      >${words}${isCurrent ? sortArrow[directions[sort]] : null}</a
    ></span
  >`;
}
