import { filesOf } from "#service/operator/managed-note";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField, choicesOf } from "#service/operator/form-fields";
import { packed, restField } from "#service/operator/forms/packed-choices";
import { countMarks } from "#service/operator/style/list-style";
import type { OverviewQuery } from "#service/operator/overview-query";
import { queryText } from "#service/operator/overview-query";
import type { OverviewRows } from "#service/operator/overview-rows";
import { entered, seenField, seenWord } from "#service/operator/monitors/many-selection";
import { labelPart, type RefusedLabel } from "#service/operator/monitors/many-label";
import { filesNote } from "#service/operator/monitors/release-note";
import { silenceManyPath, silencePart } from "#service/operator/monitors/many-silence";
import type { BoxStates } from "#service/operator/monitors/picks";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { RefusedSilence } from "#service/operator/silence-form";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { scriptTag } from "#service/operator/script-tag";

/** What is done with the monitors that are selected. */
export const manyActs = [
  "pause",
  "resume",
  "label",
  "unlabel",
  "assign",
  "unassign",
  "move",
  "delete",
] as const;
export type ManyAct = (typeof manyActs)[number];

/** The form that the boxes of the overview belong to. */
export const manyFormId = "many";

/** A box that selects one monitor of a list. What files own can be silenced here, and is changed there: its box says that. */
export const pickBox = ({ id, name, owner, incident }: PicturedMonitor, isPicked: boolean): Html =>
  html`<input
    type="checkbox"
    class="pick${owner === "" ? "" : " of-files some-of-files"}${waits({ incident }) ? " waits" : ""}"
    name="monitor"
    value="${id}"
    form="${manyFormId}"
    ${owner === "" ? null : html` data-owner="${owner}"`}
    ${isPicked ? html` checked` : null}
    aria-label="Select ${name}${owner === "" ? "" : `, managed by ${filesOf(owner)}`}"
  />`;

/** A box that selects all monitors of a row with one cause, also those that are not listed in it. */
export const pickGroup = (
  monitors: readonly PicturedMonitor[],
  reason: string,
  isPicked: boolean,
): Html => {
  const ofFiles = monitors.filter(isOfFiles);
  return html`<input
      type="checkbox"
      class="pick${ofFiles.length === monitors.length ? " of-files" : ""}${ofFiles.length > 0 ? " some-of-files" : ""}${monitors.some(waits) ? " waits" : ""}"
      name="${restField("monitor")}"
      value="${packed(monitors.map(({ id }) => id))}"
      form="${manyFormId}"
      ${isPicked ? html` checked` : null}
      aria-label="Select ${counted(monitors.length, "monitor")}: ${reason}"
    />${marksOf("counts", monitors.length)}${marksOf("files", ofFiles.length)}`;
};

/** A mark for each bit of a number, so that a style adds it up. */
const marksOf = (look: "counts" | "files", number: number): readonly Html[] =>
  countMarks
    .filter((count) => (number & count) !== 0)
    .map((count) => html`<i class="${look}-${count}"></i>`);

const isOfFiles = ({ owner }: { readonly owner: string }): boolean => owner !== "";

/** A box that selects all that the search finds, on every page of it. */
export const pickAll = ({ found, isAll }: Pick<BoxStates, "found" | "isAll">): Html =>
  html`<label class="pick-all"
    ><input
      type="checkbox"
      class="pick"
      name="all"
      value="yes"
      form="${manyFormId}"
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

/** What was sent and not done: the bar has it again. */
export interface RefusedInBar {
  readonly silence: RefusedSilence | null;
  readonly label: RefusedLabel | null;
}

/** What the form says of all that a search finds. */
export interface SearchSummary {
  readonly count: number;
  /** How many of them files manage. */
  readonly ofFiles: number;
  /** Which ones they are. */
  readonly seen: string;
}

export const summaryOf = ({ ordered }: Pick<OverviewRows, "ordered">): SearchSummary => ({
  count: ordered.length,
  ofFiles: ordered.filter(isOfFiles).length,
  seen: seenWord(ordered),
});

/**
 * What can be done with the selected monitors of the overview, or with all that its search finds. It appears below the
 * list when something is selected; a browser that cannot do that shows it always. It has what the reader may do alone.
 */
export function manyForm(
  { monitors, locations }: Pick<Picture, "monitors" | "locations">,
  query: OverviewQuery,
  { count, ofFiles, seen }: SearchSummary,
  reader: KnownReader,
  refused: RefusedInBar | null = null,
): Html | null {
  if (monitors.length === 0) return null;
  const isEditor = mayChange(reader);
  const acknowledges = monitors.some(waits);
  return html`<section
      class="card many${count > 0 && ofFiles === count ? " all-of-files" : ""}${ofFiles > 0 ? " some-of-files" : ""}"
      ${refused === null ? null : html` data-refused`}
      aria-labelledby="many-title"
    >
      <h2 id="many-title" class="unseen">With the selected monitors</h2>
      <form
        method="post"
        action="${isEditor ? "/monitors/many" : silenceManyPath}"
        id="${manyFormId}"
        class="bar"
        novalidate
      >
        ${nothingByEnter}
        <input type="hidden" name="form" value="${reader.formToken}" />
        <input type="hidden" name="query" value="${queryText({ ...query, offset: 0 })}" />
        <input type="hidden" name="${seenField}" value="${seen}" />
        <p class="picked" data-found="${grouped(count)}"></p>
        ${isEditor && monitors.some(isOfFiles) ? filesNote(monitors, ofFiles, { acknowledges, assigns: locations.length > 0 }) : null}
        <a class="button bare clear" href="/${queryText(query)}">Clear</a>
        ${isEditor ? changing(html`${actButton("pause", "Pause")} ${actButton("resume", "Resume")}`) : null}
        ${acknowledges ? acknowledging : null} ${silencePart(count, refused?.silence ?? null)}
        ${isEditor ? changing(changingParts(locations, refused?.label ?? null)) : null}
      </form>
    </section>
    ${scriptTag("many")}`;
}

export const acknowledgeManyPath = "/monitors/many/acknowledge";

/** Of a certificate's incident the picture has nothing: it is acknowledged with the rest, or on its page. */
const acknowledging = html`<button
  type="submit"
  class="acknowledging"
  formaction="${acknowledgeManyPath}"
>
  Acknowledge
</button>`;

const waits = ({ incident }: Pick<PicturedMonitor, "incident">): boolean =>
  incident !== null && !incident.acknowledged;

const changingParts = (locations: Picture["locations"], label: RefusedLabel | null): Html =>
  html`${labelPart(label, html`${actButton("label", "Add label")} ${actButton("unlabel", "Remove label")}`)}
  ${locations.length === 0 ? null : locationPart(locations)}
  ${actButton("delete", "Delete", "danger")}`;

/** What a location of files runs is changed in the files. */
function locationPart(locations: Picture["locations"]): Html {
  const ours = locations.filter((one) => !isOfFiles(one));
  const others = locations.length - ours.length;
  return html`<details name="many" class="drop">
    <summary class="button">Location</summary>
    <span class="together dropped"
      >${
        ours.length === 0
          ? null
          : html`${choiceField("Location", "location", choicesOf(ours), "")}
              ${actButton("assign", "Assign")} ${actButton("unassign", "Unassign")}
              ${actButton("move", "Move")}
              <small class="words">Move takes them from all their other locations.</small>`
      }${
        others === 0
          ? null
          : html`<small class="words"
              >${counted(others, "location")} from files: change ${others === 1 ? "it" : "them"}
              there.</small
            >`
      }</span
    >
  </details>`;
}

/** What changes monitors: it cannot be pressed while files own all that is selected. */
const changing = (acts: Html): Html => html`<fieldset class="changing">${acts}</fieldset>`;

/** Enter presses the first button of a form that it may press: without this one, it would change how the list is shown. */
export const nothingByEnter: Html = html`<button
  type="submit"
  form="${manyFormId}"
  name="act"
  value="${entered}"
  hidden
>
  Nothing yet
</button>`;

const actButton = (act: ManyAct, words: string, look = ""): Html =>
  html`<button type="submit" name="act" value="${act}" class="${look}">${words}</button>`;
