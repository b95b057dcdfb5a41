import { minuteOf } from "#web/page/moment";
import { html, type Html } from "#web/page/html";
import { placeList } from "#service/operator/lists/place-list";
import { previewButton } from "#service/operator/message-preview";
import type { KnownReader } from "#service/operator/page-request";
import type { RecoveredComponents } from "#service/operator/publishing/recovered-components";
import { may } from "#service/operator/roles";
import type { ReportRow } from "#service/store/page-store";

/** `All monitors of Shop and API pass since 14:02`, or those of them that do. */
export const recoveredWords = ({ components, since, isAll }: RecoveredComponents): Html => {
  const names = namesOf({ components });
  const one = components.length === 1;
  const which = isAll ? "All monitors" : one ? "The monitor" : "The monitors";
  return html`${which} of ${names} ${!isAll && one ? "passes" : "pass"} since ${minuteOf(since)}`;
};

const namesOf = ({ components }: Pick<RecoveredComponents, "components">): string =>
  placeList(components.map(({ name }) => name));

/** Where the form of the next update is, filled in with what a person says of what has recovered. */
const nextPath = (
  { id }: Pick<ReportRow, "id">,
  { isAll }: Pick<RecoveredComponents, "isAll">,
): string => `/reports/${id}?${isAll ? "status=resolved" : recoveredQuery}#next`;

/** What a person does about it. */
export const nextWords = ({ isAll }: Pick<RecoveredComponents, "isAll">): string =>
  isAll ? "Resolve this report, or say what is still wrong." : "The report does not say so yet.";

/** The button that leads to the form. */
export const nextButton = (
  report: Pick<ReportRow, "id" | "title">,
  recovered: RecoveredComponents,
  look: "main" | "small" | "",
): Html => {
  const words = recovered.isAll ? "Resolve" : setWords;
  return html`<a
    class="button ${look}"
    href="${nextPath(report, recovered)}"
    aria-label="${words}: ${report.title}"
    >${words}</a
  >`;
};

/** Below the name of the report on its own page, and below what it says in a list. */
export const recoveredNote = (
  report: ReportRow,
  recovered: RecoveredComponents,
  reader: KnownReader,
  look: "main" | "small",
): Html =>
  html`<div class="notice silenced">
    <p>${recoveredWords(recovered)}. ${nextWords(recovered)}</p>
    ${may(reader, "responder") ? nextButton(report, recovered, look) : null}
  </div>`;

const setWords = "Set what has recovered to Operational";

/** What the form of an update is filled in with by its address, and by a button that keeps what was typed. */
export const recoveredValue = "recovered";
const recoveredQuery = `fill=${recoveredValue}`;

/** In the form itself: one press chooses what has recovered, and saves nothing. */
export const recoveredLead = (
  { id }: Pick<ReportRow, "id">,
  recovered: RecoveredComponents,
): Html =>
  html`<div class="notice silenced">
    <p>${namesOf(recovered)} ${recovered.components.length === 1 ? "passes" : "pass"} again.</p>
    <button
      type="submit"
      class="small"
      name="${previewButton}"
      value="${recoveredValue}"
      formaction="/reports/${id}#next"
    >
      ${setWords}
    </button>
  </div>`;
