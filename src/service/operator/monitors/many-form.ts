import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { choiceField, choicesOf, textField } from "#service/operator/form-fields";
import type { OverviewQuery } from "#service/operator/overview-query";
import { queryText } from "#service/operator/overview-query";
import { matchingMonitors } from "#service/operator/overview-rows";
import type { KnownReader } from "#service/operator/page-request";
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

/** A box that selects one monitor of a list. */
export const pickBox = ({ id, name }: Pick<PicturedMonitor, "id" | "name">): Html =>
  html`<input
    type="checkbox"
    class="pick"
    name="monitor"
    value="${id}"
    form="${formId}"
    aria-label="Select ${name}"
  />`;

/** What can be done with the selected monitors of the overview, or with all that its search finds. */
export function manyForm(
  { monitors, locations }: Picture,
  query: OverviewQuery,
  reader: KnownReader,
): Html | null {
  if (monitors.length === 0) return null;
  const count = matchingMonitors(monitors, query).length;
  return html`<section class="card many" aria-labelledby="many-title">
      <h2 id="many-title">With the selected monitors</h2>
      <form method="post" action="/monitors/many" id="${formId}" class="filter">
        <input type="hidden" name="form" value="${reader.formToken}" />
        <input type="hidden" name="query" value="${queryText({ ...query, offset: 0 })}" />
        <label class="check"
          ><input type="checkbox" name="all" value="yes" /> All ${grouped(count)} that are
          found</label
        >
        ${actButton("pause", "Pause")} ${actButton("resume", "Resume")}
        <span class="together"
          >${textField({ words: "Label", name: "key", value: "", charsMax: checkLimits.nameCharsMax, example: "team" })}
          ${textField({ words: "Value", name: "value", value: "", charsMax: checkLimits.nameCharsMax, example: "shop" })}
          ${actButton("label", "Add label")} ${actButton("unlabel", "Remove label")}</span
        >
        ${
          locations.length === 0
            ? null
            : html`<span class="together"
                >${choiceField("Run at", "location", choicesOf(locations), "")}
                ${actButton("assign", "Assign")} ${actButton("unassign", "Take away")}</span
              >`
        }
        ${actButton("delete", "Delete", "danger")}
      </form>
    </section>
    ${scriptTag("many")}`;
}

const actButton = (act: ManyAct, words: string, look = ""): Html =>
  html`<button type="submit" name="act" value="${act}" class="${look}">${words}</button>`;
