import { laterDaysShown } from "#limits/status-limits";
import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { affected, updateItem } from "#service/status-site/view/report-box";
import { updateText } from "#service/status-site/view/filled-message";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import { repeatLines } from "#service/status-site/view/repeat-rule";
import type { PageWords } from "#service/status-site/view/words";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import type { EpochMillis } from "#base/units";
import type { PlannedWindow } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";

/** Planned work as a page shows it: one time of it in full, and the days of those that come after it in a line. */
export interface ShownWork {
  readonly window: PlannedWindow;
  readonly later: readonly PlannedWindow[];
  /** Times that come and do not take place. */
  readonly skipped: readonly Pick<PlannedWindow, "from" | "to">[];
  /** Whether its time is over: what comes after it is elsewhere. */
  readonly isOver: boolean;
}

/** What is under way: its later times are with it. */
export const runningWork = ({ running, coming, now }: PageModel): readonly ShownWork[] =>
  running.map((window) => ({
    window,
    later: coming.filter(({ id }) => id === window.id),
    skipped: skippedOf(window, now),
    isOver: false,
  }));

/** What comes, but for what is under way now: each once, by its next time. */
export const comingWork = ({ running, coming, now }: PageModel): readonly ShownWork[] =>
  [...Map.groupBy(coming, ({ id }) => id)].flatMap(([id, [window, ...later]]) =>
    window === undefined || running.some((one) => one.id === id)
      ? []
      : [{ window, later, skipped: skippedOf(window, now), isOver: false }],
  );

/** Those that a reader may still expect. */
const skippedOf = ({ series }: PlannedWindow, now: EpochMillis): ShownWork["skipped"] =>
  (series?.skipped ?? []).filter(({ to }) => to > now).slice(0, laterDaysShown);

/** `Does not take place: Tue 8 Dec 2026, 22:00–23:30`. */
export const skippedLines = (window: PlannedWindow, words: PageWords, now: EpochMillis): string[] =>
  skippedOf(window, now).map(
    ({ from, to }) =>
      `${repeatTexts[words.locale].skipped}${words.texts.colon}${words.period(from, to)}`,
  );

/** What is over: people look for one time of it. */
export const pastWork = ({ pastWindows }: PageModel): readonly ShownWork[] =>
  pastWindows.map((window) => ({ window, later: [], skipped: [], isOver: true }));

/** Planned work below a heading; on its own page, whose heading has its title, each time is `isAlone`. */
export function windowList(
  model: PageModel,
  works: readonly ShownWork[],
  title: string,
  words: PageWords,
  place: PagePlace,
  isAlone = false,
): Html | null {
  if (works.length === 0) return null;
  const titled = (window: PlannedWindow): Html | null =>
    isAlone ? null : windowTitle(model, window, words, place);
  return html`<section>
    <h2>${title}</h2>
    ${works.map((work) => workArticle(work, factsOf(model, work.window, titled(work.window), words), words))}
  </section>`;
}

const factsOf = (
  model: PageModel,
  window: PlannedWindow,
  title: Html | null,
  words: PageWords,
): WorkFacts => ({
  title,
  period: periodOf(window, words),
  names: affected(model, window.components),
});

/**
 * One time of it below the heading of its day, in two lines: when it was opens to what people said of it. What repeats has
 * its own words on its page: each day would say them again. So has what the program filled in, as it is over.
 */
export function pastWorkArticle(
  model: PageModel,
  window: PlannedWindow,
  words: PageWords,
  place: PagePlace,
): Html {
  const link = windowLink(model, window, words, place);
  const title = html`<h4><span class="standing">${words.texts.day.maintenance}</span> ${link}</h4>`;
  const message = window.repeats.recurrence === "" ? window.message : "";
  const updates = window.updates.filter(({ filled }) => filled === undefined);
  return html`<article class="report planned resolved folded">
    ${title}
    <details>
      <summary>${periodOf(window, words)}</summary>
      ${affectedLine(affected(model, window.components), words)}
      ${saidOf({ ...window, message, updates }, words)}
    </details>
  </article>`;
}

/** What is said of planned work besides its own words. */
interface WorkFacts {
  /** Null: a heading above has it. */
  readonly title: Html | null;
  /** From when to when it is. */
  readonly period: Html | string;
  /** Of its components; empty: the page as a whole. */
  readonly names: string;
}

/** One time of planned work. */
export const workArticle = (
  { window, later, skipped, isOver }: ShownWork,
  { title, period, names }: WorkFacts,
  words: PageWords,
): Html =>
  html`<article class="report planned ${isOver ? "resolved" : ""}">
    ${title}
    <p class="when period">${period}</p>
    ${isOver ? null : repeatLines(words, window.repeats).map((line) => html`<p class="kind">${line}</p>`)}
    ${unsaid(skipped, window).map((one) => html`<p class="kind">${repeatTexts[words.locale].skipped}${words.texts.colon}${periodOf(one, words)}</p>`)}
    ${affectedLine(names, words)} ${saidOf(window, words)} ${laterTimes(later, words)}
  </article>`;

const affectedLine = (names: string, { texts }: PageWords): Html =>
  html`<p class="kind">${texts.affected}${texts.colon}${names || texts.whole}</p>`;

/** A date that an update names already, in the words that its form fills in, is said there alone. */
const unsaid = (skipped: ShownWork["skipped"], { updates }: PlannedWindow): ShownWork["skipped"] =>
  skipped.filter(
    ({ from }) =>
      !updates.some(({ filled }) => filled?.is === "skipped" && filled.window.from === from),
  );

/** As a report has what was said of it, the newest first and the announcement last; by itself, that needs no date. */
function saidOf({ message, updates, createdAt }: PlannedWindow, words: PageWords): Html | null {
  const { maintenanceUpdate, maintenanceAnnounced } = words.texts;
  if (updates.length === 0)
    return message === "" ? null : html`<div class="said">${reportMarkup(message)}</div>`;
  const announced =
    message === "" ? [] : [updateItem(maintenanceAnnounced, createdAt, message, words)];
  return html`<ol class="updates">
    ${updates.map((one) => updateItem(maintenanceUpdate, one.at, updateText(one, words), words))}
    ${announced}
  </ol>`;
}

const periodOf = ({ from, to }: Pick<PlannedWindow, "from" | "to">, words: PageWords): Html =>
  html`<time datetime="${isoTime(from)}" data-until="${isoTime(to)}"
    >${words.period(from, to)}</time
  >`;

/** `Then: Tue, 1 Dec · Tue, 8 Dec`, and below the fold from when to when each of them is. */
function laterTimes(later: readonly PlannedWindow[], words: PageWords): Html | null {
  if (later.length === 0) return null;
  const { maintenanceThen, colon } = words.texts;
  const days = later
    .slice(0, laterDaysShown)
    .map(
      ({ from }, index) =>
        html`${index === 0 ? null : " · "}<time datetime="${isoTime(from)}" data-day
            >${words.weekday(from)}</time
          >`,
    );
  return html`<details class="later-times">
    <summary>
      ${maintenanceThen}${colon}${days}${later.length > laterDaysShown ? " …" : null}
    </summary>
    <ul>
      ${later.map((window) => html`<li>${periodOf(window, words)}</li>`)}
    </ul>
  </details>`;
}

const windowTitle = (
  model: PageModel,
  window: PlannedWindow,
  words: PageWords,
  place: PagePlace,
): Html => html`<h3>${windowLink(model, window, words, place)}</h3>`;

const windowLink = (
  { definition }: PageModel,
  { id, title }: PlannedWindow,
  { locale }: PageWords,
  place: PagePlace,
): Html => {
  const address = localePath(place, locale, definition, pathOfView({ of: "maintenance", id }));
  return html`<a href="${address}">${title}</a>`;
};
