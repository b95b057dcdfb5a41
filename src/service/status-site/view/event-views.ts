import { html, type Html } from "#web/page/html";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import { historyView } from "#service/status-site/view/history-view";
import { reportAlone, reportBox } from "#service/status-site/view/report-box";
import {
  comingWork,
  pastWork,
  runningWork,
  windowList,
} from "#service/status-site/view/window-list";
import type { PageView } from "#service/status-site/page-path";
import type { PageWords } from "#service/status-site/view/words";
import type { ReportFacts } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";

/** What is open or planned in full, and below it all that is known of the past, by months. */
export const eventsView = (model: PageModel, words: PageWords, place: PagePlace): Html =>
  html`${backLink(model, words, place)}
    <h1>${words.texts.allReports}</h1>
    ${hasEvents(model) ? null : html`<p class="kind">${words.texts.noReportsThen}</p>`}
    ${model.openReports.map((one) => reportBox(model, one, words, place))}
    ${windowList(model, runningWork(model), words.texts.maintenanceNow, words, place)}
    ${windowList(model, comingWork(model), words.texts.maintenanceComing, words, place)}
    ${historyView(model, words, place)}`;

const hasEvents = (model: PageModel): boolean =>
  [model.openReports, model.pastReports, model.coming, model.running, model.pastWindows].some(
    (some) => some.length > 0,
  );

/** One report; null if there is none with this id, or it is older than what is kept at hand. */
export function reportView(
  model: PageModel,
  id: number,
  words: PageWords,
  place: PagePlace,
): Html | null {
  const report = reportIn(model, id);
  if (report === undefined) return null;
  return html`${backLink(model, words, place)}
    <h1>${report.title}</h1>
    ${reportAlone(model, report, words, place)}`;
}

const reportIn = ({ openReports, pastReports }: PageModel, id: number): ReportFacts | undefined =>
  [...openReports, ...pastReports].find((one) => one.id === id);

/** One maintenance with all of its windows that are known; null if there is none with this id. */
export function maintenanceView(
  model: PageModel,
  id: number,
  words: PageWords,
  place: PagePlace,
): Html | null {
  const { texts } = words;
  const lists = [
    { works: runningWork(model), title: texts.maintenanceNow },
    { works: comingWork(model), title: texts.maintenanceComing },
    { works: pastWork(model), title: texts.maintenancePast },
  ].map(({ works, title }) => ({ works: works.filter(({ window }) => window.id === id), title }));
  const first = lists.flatMap(({ works }) => works)[0]?.window;
  if (first === undefined) return null;
  return html`${backLink(model, words, place)}
    <h1>${first.title}</h1>
    ${lists.flatMap(({ works, title }) => windowList(model, works, title, words, place, true) ?? [])}`;
}

/** What the tab and a chat say of an event's page, e.g. `Card payments are slow: Identified`; null of the other pages. */
export function eventSentence(
  model: PageModel,
  view: PageView,
  { texts }: PageWords,
): string | null {
  if (view.of === "maintenance") {
    const all = [...model.running, ...model.coming, ...model.pastWindows];
    return all.find(({ id }) => id === view.id)?.title ?? null;
  }
  const report = view.of === "report" ? reportIn(model, view.id) : undefined;
  return report === undefined
    ? null
    : `${report.title}${texts.colon}${texts.report[report.status]}`;
}

/** To the page as a whole. */
export const backLink = ({ definition }: PageModel, words: PageWords, place: PagePlace): Html =>
  html`<p class="back">
    <a href="${localePath(place, words.locale, definition, "")}">${words.texts.back}</a>
  </p>`;
