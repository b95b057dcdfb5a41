import { html, type Html } from "#page/html";
import { localePath, type PagePlace } from "#service/status/view/status-frame";
import { reportBox, windowList } from "#service/status/view/components-view";
import type { PageWords } from "#service/status/view/words";
import type { PageModel } from "#status/page-model";

/** All that is known of the past: reports and maintenance of the days that the page shows. */
export const eventsView = (model: PageModel, words: PageWords, place: PagePlace): Html =>
  html`${backLink(model, words, place)}
    <h1>${words.texts.allReports}</h1>
    ${[...model.openReports, ...model.pastReports].map((one) => reportBox(model, one, words, place))}
    ${windowList(model, model.coming, words.texts.maintenanceComing, words)}
    ${windowList(model, model.running, words.texts.maintenanceNow, words)}
    ${windowList(model, model.pastWindows, words.texts.maintenancePast, words)}`;

/** One report; null where there is none with this id, or it is older than what is kept at hand. */
export function reportView(
  model: PageModel,
  id: number,
  words: PageWords,
  place: PagePlace,
): Html | null {
  const report = [...model.openReports, ...model.pastReports].find((one) => one.id === id);
  if (report === undefined) return null;
  return html`${backLink(model, words, place)}
    <h1>${words.texts.reports}</h1>
    ${reportBox(model, report, words, place)}`;
}

const backLink = ({ definition }: PageModel, words: PageWords, place: PagePlace): Html =>
  html`<p class="back">
    <a href="${localePath(place, words.locale, definition, "")}">${words.texts.back}</a>
  </p>`;
