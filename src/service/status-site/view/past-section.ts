import { html, type Html } from "#web/page/html";
import { pastReportArticle, shownReport } from "#service/status-site/view/report-box";
import type { PagePlace } from "#service/status-site/view/status-frame";
import { pastWorkArticle } from "#service/status-site/view/window-list";
import type { PageWords } from "#service/status-site/view/words";
import {
  type PastDays,
  pastDays,
  type PastEvent,
  pastEvents,
} from "#service/status-page/report-days";
import type { PageModel } from "#service/status-page/page-model";

/**
 * Reports and planned work of the last two weeks, by the days of the bars: an event has one day on a page. Nothing if there are none while a report is open: that there
 * are no reports would be wrong then.
 */
export function pastSection(
  model: PageModel,
  words: PageWords,
  place: PagePlace,
  saysDays: boolean,
): Html | null {
  const { texts } = words;
  const lately = pastEvents(model);
  if (lately.length === 0 && model.openReports.length > 0) return null;
  const hasWork = lately.some((one) => one.of === "maintenance");
  const head = html`<h2 id="past">${hasWork ? texts.pastEvents : texts.pastReports}</h2>`;
  if (lately.length === 0)
    return html`<section aria-labelledby="past">
      ${head}
      <p class="kind">${texts.noReports}</p>
    </section>`;
  return html`<section aria-labelledby="past">
    ${head} ${pastDays(model, lately).map((days) => daysView(model, days, words, place))}
    ${saysDays ? null : html`<p class="words">${texts.daysAreUtc}</p>`}
  </section>`;
}

/** `18 Nov 2026` over what ended on the day, or `8 Nov – 17 Nov: No reports`. */
function daysView(
  model: PageModel,
  { first, last, events }: PastDays,
  words: PageWords,
  place: PagePlace,
): Html {
  const { texts } = words;
  const article = (event: PastEvent): Html =>
    event.of === "report"
      ? pastReportArticle(shownReport(model, event.report, words, place), words)
      : pastWorkArticle(model, event.window, words, place);
  if (events.length > 0)
    return html`<h3>${words.date(first)}</h3>
      ${events.map(article)}`;
  const dates = [...new Set([first, last])].map(words.dayAndMonth).join(" – ");
  return html`<p class="no-reports">${dates}${texts.colon}${texts.noReportsThen}</p>`;
}
