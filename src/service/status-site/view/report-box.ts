import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { reportText } from "#service/status-site/view/given-words";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import type { ReportFacts, UpdateFacts } from "#service/status-page/page-facts";
import { componentsOf, type PageModel } from "#service/status-page/page-model";
import { impactOfReport } from "#service/status-page/impact-spans";
import { lengthOfReport } from "#service/status-page/report-length";
import { after, type EpochMillis, millis } from "#base/units";

/** A report with all that was said, the newest first. */
export const reportBox = (
  model: PageModel,
  report: ReportFacts,
  words: PageWords,
  place: PagePlace,
): Html => reportArticle(shownReport(model, report, words, place), words);

export const shownReport = (
  model: PageModel,
  report: ReportFacts,
  { locale }: PageWords,
  place: PagePlace,
): ShownReport => ({
  report,
  names: affected(model, report.components),
  now: model.now,
  address: localePath(place, locale, model.definition, pathOfView({ of: "report", id: report.id })),
});

interface ShownReport {
  readonly report: ReportFacts;
  /** Of the components that it concerns. */
  readonly names: string;
  readonly now: EpochMillis;
  /** Its own page; null of one that is only shown as it will look. */
  readonly address: string | null;
}

/** The same on the report's own page, whose heading has its title. */
export const reportAlone = (
  model: PageModel,
  report: ReportFacts,
  words: PageWords,
  place: PagePlace,
): Html => reportArticle(shownReport(model, report, words, place), words, "alone");

export function reportArticle(
  shown: ShownReport,
  words: PageWords,
  heading: "h2" | "alone" = "h2",
): Html {
  const { report, now, address } = shown;
  const standing = standingOf(report, now, words);
  const head = heading === "alone" ? standing : titleHead(report.title, address, standing);
  return html`<article
    class="report ${report.status} ${impactOfReport(report) ?? ""}"
    id="report-${address === null ? "preview" : report.id}"
  >
    ${head === null ? null : html`<h2>${head}</h2>`} ${saidOf(shown, words)}
  </article>`;
}

/** A report that is over, in two lines: when it was opens to all that was said. */
export function pastReportArticle(shown: ShownReport, words: PageWords): Html {
  const { report, now, address } = shown;
  const from = report.updates.findLast(({ at }) => at <= now)?.at ?? now;
  const to = after(from, lengthOfReport(report, now) ?? millis(0));
  return html`<article class="report folded ${report.status}" id="report-${report.id}">
    <h4>${titleHead(report.title, address, standingOf(report, now, words))}</h4>
    <details>
      <summary>${timeOf(from, to, words)}</summary>
      ${saidOf(shown, words)}
    </details>
  </article>`;
}

/** From when to when something was; one time of what was said once. */
export const timeOf = (from: EpochMillis, to: EpochMillis, words: PageWords): Html =>
  from === to
    ? html`<time datetime="${isoTime(from)}">${words.moment(from)}</time>`
    : html`<time datetime="${isoTime(from)}" data-until="${isoTime(to)}"
        >${words.period(from, to)}</time
      >`;

/** What it concerns, since when, and all that was said of it. */
function saidOf({ report, names, now }: ShownReport, words: PageWords): Html {
  const { texts } = words;
  const out = report.updates.filter(({ at }) => at <= now);
  return html`${names === "" ? null : html`<p class="kind">${texts.affected}${texts.colon}${names}</p>`}
    ${begun(report, out, words)}
    <ol class="updates">
      ${out.map(({ status, at, message }) => updateItem(texts.report[status], at, reportText(message, words), words))}
    </ol>`;
}

/** How it stands; of one that is over, its newest update says that, and here is how long it lasted. */
function standingOf(report: ReportFacts, now: EpochMillis, words: PageWords): Html | null {
  if (report.status !== "resolved") return html`${words.texts.report[report.status]}`;
  const length = lengthOfReport(report, now);
  return length === null ? null : html`${words.texts.lasted(words.length(length))}`;
}

/** Since when something is wrong, which a reader does not look for below all that was said since. */
function begun(
  { status }: ReportFacts,
  out: readonly UpdateFacts[],
  words: PageWords,
): Html | null {
  const first = out.at(-1);
  if (first === undefined || out.length < 2 || status === "resolved") return null;
  return beganLine(first.at, words);
}

export const beganLine = (at: EpochMillis, { texts, moment }: PageWords): Html =>
  html`<p class="kind">
    ${texts.began}${texts.colon}<time datetime="${isoTime(at)}">${moment(at)}</time>
  </p>`;

const titleHead = (title: string, address: string | null, standing: Html | null): Html =>
  html`${standing === null ? null : html`<span class="standing">${standing}</span>`}
  ${address === null ? title : html`<a href="${address}">${title}</a>`}`;

/** Something that was said, under a word for what it is. */
export const updateItem = (
  title: string,
  at: EpochMillis,
  message: string,
  { moment }: PageWords,
): Html =>
  html`<li>
    <p class="when">
      <strong>${title}</strong>
      <time datetime="${isoTime(at)}">${moment(at)}</time>
    </p>
    <div class="said">${reportMarkup(message)}</div>
  </li>`;

/** The names of components that are on the page still. */
export const affected = (model: PageModel, ids: readonly number[]): string =>
  componentsOf(model)
    .filter(({ facts }) => ids.includes(facts.id))
    .map(({ facts }) => facts.name)
    .join(", ");
