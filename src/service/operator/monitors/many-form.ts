import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField, choicesOf, textField } from "#service/operator/form-fields";
import { packed, restField } from "#service/operator/forms/packed-choices";
import { countMarks } from "#service/operator/style/list-style";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import type { OverviewQuery } from "#service/operator/overview-query";
import { queryText } from "#service/operator/overview-query";
import { entered, seenField, seenWord } from "#service/operator/monitors/many-selection";
import { silenceManyPath, silencePart } from "#service/operator/monitors/many-silence";
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
export const pickBox = ({ id, name, owner }: PicturedMonitor): Html =>
  html`<input
    type="checkbox"
    class="pick${owner === "" ? "" : " of-files"}"
    name="monitor"
    value="${id}"
    form="${formId}"
    aria-label="Select ${name}${owner === "" ? "" : `, managed by the files of ${owner}`}"
  />`;

/** A box that selects all monitors of a row with one cause, also those that are not listed in it. */
export const pickGroup = (monitors: readonly PicturedMonitor[], reason: string): Html =>
  html`<input
      type="checkbox"
      class="pick${monitors.every(({ owner }) => owner !== "") ? " of-files" : ""}"
      name="${restField("monitor")}"
      value="${packed(monitors.map(({ id }) => id))}"
      form="${formId}"
      aria-label="Select ${counted(monitors.length, "monitor")}: ${reason}"
    />${countMarks.filter((count) => (monitors.length & count) !== 0).map((count) => html`<i class="counts-${count}"></i>`)}`;

/** A box that selects all that the search finds, on every page of it. */
export const pickAll = (found: number): Html =>
  html`<label class="pick-all"
    ><input type="checkbox" class="pick" name="all" value="yes" form="${formId}" /> Select all
    ${grouped(found)}</label
  >`;

/**
 * What can be done with the selected monitors of the overview, or with all that its search finds. It appears below the
 * list when something is selected; a browser that cannot do that shows it always. It has what the reader may do alone.
 */
export function manyForm(picture: Picture, query: OverviewQuery, reader: KnownReader): Html | null {
  const { monitors, locations } = picture;
  if (monitors.length === 0) return null;
  const found = matchingMonitors(picture, query);
  const isEditor = mayChange(reader);
  const isOfFiles = found.length > 0 && found.every(({ owner }) => owner !== "");
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
        <input type="hidden" name="${seenField}" value="${seenWord(found)}" />
        <p class="picked" data-found="${grouped(found.length)}"></p>
        ${isEditor ? html`${actButton("pause", "Pause")} ${actButton("resume", "Resume")}` : null}
        ${silencePart(found.length)}
        ${isEditor ? html`${changingParts(locations)} ${onlyOfFiles}` : null}
      </form>
    </section>
    ${scriptTag("many")}`;
}

const changingParts = (locations: Picture["locations"]): Html =>
  html`<details name="many">
      <summary class="button">Label</summary>
      <span class="together"
        >${textField({ words: "Label", name: "key", value: "", charsMax: checkLimits.nameCharsMax, example: "team" })}
        ${textField({ words: "Value", name: "value", value: "", charsMax: checkLimits.nameCharsMax, example: "shop" })}
        ${actButton("label", "Add label")} ${actButton("unlabel", "Remove label")}</span
      >
    </details>
    ${
      locations.length === 0
        ? null
        : html`<details name="many">
            <summary class="button">Location</summary>
            <span class="together"
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
