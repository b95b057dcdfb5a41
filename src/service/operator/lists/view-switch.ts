import { html, type Html } from "#web/page/html";
import { violation } from "#service/edge/call-refusal";
import { seeOther } from "#service/edge/page-answer";
import { listViewCookieText, type ListView, listViews } from "#service/operator/lists/list-view";
import { overviewAt } from "#service/operator/monitors/many-selection";
import { withPicks } from "#service/operator/monitors/picks";
import { type OverviewQuery, queryText, readOverviewQuery } from "#service/operator/overview-query";
import type { KnownReader, OperatorForm } from "#service/operator/page-request";

/* How high the lines of the overview are. It is a form, not a link: a link that a colleague sends changes no choice. */

const switchPath = "/settings/list-view";
const field = "view";

const viewWords: { readonly [V in ListView]: string } = {
  comfortable: "Comfortable",
  compact: "Compact",
};

/** Two buttons of the form that the boxes belong to: what is selected stays so. Each says which search it shows. */
export const viewSwitch = (query: OverviewQuery, formId: string): Html =>
  html`<div class="views" role="group" aria-label="Height of the lines">
    ${listViews.map(
      (view) =>
        html`<button
          type="submit"
          form="${formId}"
          formaction="${switchPath}"
          name="${field}"
          value="${queryText({ ...query, view })}"
          aria-pressed="${view === query.view ? "true" : "false"}"
        >
          ${viewWords[view]}
        </button>`,
    )}
  </div>`;

/** The form of whoever may select nothing. */
export const switchForm = (reader: KnownReader, formId: string): Html =>
  html`<form method="post" action="${switchPath}" id="${formId}">
    <input type="hidden" name="form" value="${reader.formToken}" />
  </form>`;

/** Shows the same search in the view that was pressed, and keeps that in this browser. */
export const viewForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/list-view$/,
  act: async (_context, { form, isSecure }) => {
    const path = overviewAt(`/${form.get(field) ?? ""}`);
    const reading = readOverviewQuery(new URL(path, "http://list.invalid").searchParams);
    if (!reading.ok) throw violation({ field, message: reading.message });
    const cookie = listViewCookieText(reading.query.view, isSecure);
    return seeOther(withPicks(path, form), { "set-cookie": [cookie] });
  },
};
