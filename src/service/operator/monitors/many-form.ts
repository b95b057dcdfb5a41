import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField, choicesOf, textField } from "#service/operator/form-fields";
import { packed, restField } from "#service/operator/forms/packed-choices";
import { countMarks } from "#service/operator/style/list-style";
import type { OverviewQuery } from "#service/operator/overview-query";
import { queryText } from "#service/operator/overview-query";
import type { OverviewRows } from "#service/operator/overview-rows";
import { entered, seenField, seenWord } from "#service/operator/monitors/many-selection";
import { silenceManyPath, silencePart } from "#service/operator/monitors/many-silence";
import type { BoxStates } from "#service/operator/monitors/picks";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { scriptTag } from "#service/operator/script-tag";
import * as checkLimits from "#limits/check-limits";

/** What is done with the monitors that are selected. */
export const manyActs = [
  "pause",
  "resume",
  "label",
  "unlabel",
  "assign",
  "unassign",
  "delete",
] as const;
export type ManyAct = (typeof manyActs)[number];

/** The form that the boxes of the overview belong to. */
const formId = "many";

/** A box that selects one monitor of a list. What files own can be silenced here, and is changed there: its box says that. */
export const pickBox = ({ id, name, owner }: PicturedMonitor, isPicked: boolean): Html =>
  html`<input
    type="checkbox"
    class="pick${owner === "" ? "" : " of-files"}"
    name="monitor"
    value="${id}"
    form="${formId}"
    ${isPicked ? html` checked` : null}
    aria-label="Select ${name}${owner === "" ? "" : `, managed by the files of ${owner}`}"
  />`;

/** A box that selects all monitors of a row with one cause, also those that are not listed in it. */
export const pickGroup = (
  monitors: readonly PicturedMonitor[],
  reason: string,
  isPicked: boolean,
): Html =>
  html`<input
      type="checkbox"
      class="pick${monitors.every(({ owner }) => owner !== "") ? " of-files" : ""}"
      name="${restField("monitor")}"
      value="${packed(monitors.map(({ id }) => id))}"
      form="${formId}"
      ${isPicked ? html` checked` : null}
      aria-label="Select ${counted(monitors.length, "monitor")}: ${reason}"
    />${countMarks.filter((count) => (monitors.length & count) !== 0).map((count) => html`<i class="counts-${count}"></i>`)}`;

/** A box that selects all that the search finds, on every page of it. */
export const pickAll = ({ found, isAll }: Pick<BoxStates, "found" | "isAll">): Html =>
  html`<label class="pick-all"
    ><input
      type="checkbox"
      class="pick"
      name="all"
      value="yes"
      form="${formId}"
      ${isAll ? html` checked` : null}
    />
    Select all ${grouped(found)}</label
  >`;

/** Those that stay selected though no row of the page has them; nothing if there is none, or more than are counted. */
export const pickUnshown = (monitors: readonly PicturedMonitor[]): Html | null =>
  monitors.length === 0 || monitors.length >= 2 * (countMarks.at(-1) ?? 0)
    ? null
    : html`<div class="cause unshown">
        ${pickGroup(monitors, "not on this page", true)}
        <p>${counted(monitors.length, "selected monitor")} not on this page</p>
      </div>`;

/** What the form says of all that a search finds. */
export interface SearchSummary {
  readonly count: number;
  /** Files manage all of them. */
  readonly isOfFiles: boolean;
  /** Which ones they are. */
  readonly seen: string;
}

export const summaryOf = ({ ordered }: Pick<OverviewRows, "ordered">): SearchSummary => ({
  count: ordered.length,
  isOfFiles: ordered.length > 0 && ordered.every(({ owner }) => owner !== ""),
  seen: seenWord(ordered),
});

/**
 * What can be done with the selected monitors of the overview, or with all that its search finds. It appears below the
 * list when something is selected; a browser that cannot do that shows it always. It has what the reader may do alone.
 */
export function manyForm(
  { monitors, locations }: Pick<Picture, "monitors" | "locations">,
  query: OverviewQuery,
  { count, isOfFiles, seen }: SearchSummary,
  reader: KnownReader,
): Html | null {
  if (monitors.length === 0) return null;
  const isEditor = mayChange(reader);
  return html`<section
      class="card many${isOfFiles ? " all-of-files" : ""}"
      aria-labelledby="many-title"
    >
      <h2 id="many-title" class="unseen">With the selected monitors</h2>
      <form
        method="post"
        action="${isEditor ? "/monitors/many" : silenceManyPath}"
        id="${formId}"
        class="bar"
      >
        ${nothingByEnter}
        <input type="hidden" name="form" value="${reader.formToken}" />
        <input type="hidden" name="query" value="${queryText({ ...query, offset: 0 })}" />
        <input type="hidden" name="${seenField}" value="${seen}" />
        <p class="picked" data-found="${grouped(count)}"></p>
        <a class="button bare clear" href="/${queryText(query)}">Clear</a>
        ${isEditor ? html`${actButton("pause", "Pause")} ${actButton("resume", "Resume")}` : null}
        ${silencePart(count)} ${isEditor ? html`${changingParts(locations)} ${onlyOfFiles}` : null}
      </form>
    </section>
    ${scriptTag("many")}`;
}

const changingParts = (locations: Picture["locations"]): Html =>
  html`<details name="many" class="drop">
      <summary class="button">Label</summary>
      <span class="together dropped"
        >${textField({ words: "Label", name: "key", value: "", charsMax: checkLimits.nameCharsMax, example: "team" })}
        ${textField({ words: "Value", name: "value", value: "", charsMax: checkLimits.nameCharsMax, example: "shop" })}
        ${actButton("label", "Add label")} ${actButton("unlabel", "Remove label")}</span
      >
    </details>
    ${
      locations.length === 0
        ? null
        : html`<details name="many" class="drop">
            <summary class="button">Location</summary>
            <span class="together dropped"
              >${choiceField("Location", "location", choicesOf(locations), "")}
              ${actButton("assign", "Assign")} ${actButton("unassign", "Unassign")}</span
            >
          </details>`
    }
    ${actButton("delete", "Delete", "danger")}`;

/** Said before anything is tried, if files own all that is selected. */
const onlyOfFiles = html`<p class="only-of-files">
  Files manage what you selected: change it in the files, or silence it here.
</p>`;

/** Enter presses the first button of a form that it may press: without this one, it would pause what is selected. */
const nothingByEnter = html`<button type="submit" name="act" value="${entered}" hidden>
  Nothing yet
</button>`;

const actButton = (act: ManyAct, words: string, look = ""): Html =>
  html`<button type="submit" name="act" value="${act}" class="${look}">${words}</button>`;
