import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { plannedMark, type Standing, verdictMark } from "#web/page/verdict-mark";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { daysBar, daysNote } from "#service/status-site/view/days-bar";
import { maintenanceSoonWithin, reportsShownFor } from "#limits/status-limits";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import { latestOf, type ReportDays, reportDays } from "#service/status-page/report-days";
import type { PageState } from "#service/status-page/component-state";
import type { PlannedWindow, ReportFacts, UpdateFacts } from "#service/status-page/page-facts";
import {
  componentsOf,
  headlineOf,
  type PageModel,
  type Section,
  type ShownComponent,
} from "#service/status-page/page-model";
import { impactOfReport } from "#service/status-page/impact-spans";
import { publicIdOf } from "#service/status-page/public-monitor";
import { after, type EpochMillis } from "#base/units";

/** The page itself: how things stand in one sentence, what people report, and each component with its days. */
export function statusView(model: PageModel, words: PageWords, place: PagePlace): Html {
  const { texts } = words;
  const { definition, overall } = model;
  const soon = model.coming.filter((one) => isSoon(one, model));
  const later = model.coming.filter((one) => !isSoon(one, model));
  return html`<h1 class="overall ${marks[overall]}">
      ${stateMark(overall, headlineOf(model, texts))}
    </h1>
    ${model.isLate ? null : freshness(model, words)}
    ${definition.description === "" ? null : html`<p class="advice">${definition.description}</p>`}
    ${model.openReports.map((report) => reportBox(model, report, words, place))}
    ${windowList(model, model.running, texts.maintenanceNow, words, place)}
    ${windowList(model, soon, texts.maintenanceComing, words, place)}
    ${componentsSection(model, words, place)}
    ${windowList(model, later, texts.maintenanceComing, words, place)}
    ${pastReports(model, words, place)}`;
}

/** As of when it is: whoever is in a hurry sees first that it is not old. A page that is late says so above its heading. */
const freshness = ({ now }: PageModel, { texts, moment }: PageWords): Html =>
  html`<p class="fresh">${texts.asOf} <time datetime="${isoTime(now)}">${moment(now)}</time></p>`;

/** A page that has none yet says nothing of them. */
function componentsSection(model: PageModel, words: PageWords, place: PagePlace): Html | null {
  if (model.sections.length === 0) return null;
  const days = componentsOf(model).flatMap((one) => (hasStrip(one) ? [one.days] : []));
  const hasGroup = model.sections.some(({ kind }) => kind === "group");
  return html`<section aria-labelledby="components">
    <h2 id="components">${words.texts.components}</h2>
    <ul class="components">
      ${model.sections.map((section) => sectionItem(section, model, words, place))}
    </ul>
    ${days.length === 0 ? null : daysNote(days, model.firstDay, words, hasGroup)}
  </section>`;
}

/** Days of a component that no monitor measures are shown since its first report: "no data" next to its state would be wrong. */
const hasStrip = ({ facts, days }: ShownComponent): boolean =>
  facts.monitor !== null || days.some(({ state }) => state !== "empty");

/** What begins soon is above the components, once of work that repeats. */
const isSoon = (window: PlannedWindow, { now, coming }: PageModel): boolean =>
  window.from <= after(now, maintenanceSoonWithin) &&
  coming.find(({ id }) => id === window.id) === window;

const marks: { readonly [S in PageState]: Standing | "planned" } = {
  operational: "success",
  degraded: "degraded",
  partial_outage: "error",
  major_outage: "error",
  maintenance: "planned",
  unknown: "unchecked",
};

export function stateMark(state: PageState, text: string): Html {
  const mark = marks[state];
  return mark === "planned" ? plannedMark(text) : verdictMark(mark, text);
}

function sectionItem(section: Section, model: PageModel, words: PageWords, place: PagePlace): Html {
  if (section.kind === "component") return componentItem(section.component, model, words, place);
  const { id, name, state, isOpen, days, lowest, components } = section;
  const items = components.map((one) => componentItem(one, model, words, place));
  const summary = html`<summary>
    <span class="name">${name}</span> ${stateMark(state, words.texts.state[state])}
  </summary>`;
  const list = html`${summary}
    <ul class="components">
      ${items}
    </ul>`;
  // Next to the fold and not in its summary: whoever asks for a day opens nothing. It gives way to what the fold holds.
  const bar = components.some(hasStrip)
    ? html`<div class="days">
        ${daysBar(days, model.firstDay, words, uptimeShown(lowest, model, words))}
      </div>`
    : null;
  const fold = isOpen ? html`<details open>${list}</details>` : html`<details>${list}</details>`;
  return html`<li class="group" id="group-${id}">${fold} ${bar}</li>`;
}

function componentItem(
  shown: ShownComponent,
  model: PageModel,
  words: PageWords,
  place: PagePlace,
): Html {
  const { facts, state, days } = shown;
  const share = uptimeShown(shown, model, words);
  return html`<li class="component" id="component-${facts.id}">
    <h3>${nameOf(shown, model.definition, words, place)}</h3>
    ${stateMark(state, words.texts.state[state])}
    ${facts.description === "" ? null : html`<p class="kind">${facts.description}</p>`}
    ${hasStrip(shown) ? html`<div class="days">${daysBar(days, model.firstDay, words, share)}</div>` : null}
  </li>`;
}

/** `99.98 % uptime`; null if nothing is known, or none is shown. */
function uptimeShown(
  { facts, days, uptime }: ShownComponent,
  { definition: { configuration } }: PageModel,
  words: PageWords,
): Html | null {
  const metric = facts.monitor === null ? "manual" : configuration.metric;
  // Its days are known, but planned work was all there was.
  const isBlank = configuration.showUptime && days.some((one) => one.state === "maintenance");
  if (uptime === null && !isBlank) return null;
  return html`<strong>${uptime === null ? "–" : words.percent(uptime)}</strong>
    <span>${words.texts.uptime[metric]}</span>`;
}

/** A public monitor has a page by itself. */
function nameOf(
  shown: ShownComponent,
  definition: PageModel["definition"],
  words: PageWords,
  place: PagePlace,
): Html {
  const id = publicIdOf(shown);
  const { name } = shown.facts;
  if (id === null) return html`${name}`;
  const path = pathOfView({ of: "monitor", id });
  return html`<a href="${localePath(place, words.locale, definition, path)}">${name}</a>`;
}

/** A report with all that was said, the newest first. */
export const reportBox = (
  model: PageModel,
  report: ReportFacts,
  words: PageWords,
  place: PagePlace,
): Html => reportArticle(shownReport(model, report, words, place), words);

const shownReport = (
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

export function reportArticle(
  { report, names, now, address }: ShownReport,
  words: PageWords,
  heading: "h2" | "h4" = "h2",
): Html {
  const { texts } = words;
  const { title } = report;
  const head = html`<span class="standing">${texts.report[report.status]}</span>
    ${address === null ? title : html`<a href="${address}">${title}</a>`}`;
  return html`<article
    class="report ${report.status} ${impactOfReport(report) ?? ""}"
    id="report-${address === null ? "preview" : report.id}"
  >
    ${heading === "h2" ? html`<h2>${head}</h2>` : html`<h4>${head}</h4>`}
    ${names === "" ? null : html`<p class="kind">${texts.affected}${texts.colon}${names}</p>`}
    <ol class="updates">
      ${report.updates.filter(({ at }) => at <= now).map((update) => updateItem(update, words))}
    </ol>
  </article>`;
}

const updateItem = (update: UpdateFacts, words: PageWords): Html =>
  html`<li>
    <p class="when">
      <strong>${words.texts.report[update.status]}</strong>
      <time datetime="${isoTime(update.at)}">${words.moment(update.at)}</time>
    </p>
    <div class="said">${reportMarkup(update.message)}</div>
  </li>`;

/** The names of components that are on the page still. */
const affected = (model: PageModel, ids: readonly number[]): string =>
  componentsOf(model)
    .filter(({ facts }) => ids.includes(facts.id))
    .map(({ facts }) => facts.name)
    .join(", ");

export function windowList(
  model: PageModel,
  windows: readonly PlannedWindow[],
  title: string,
  words: PageWords,
  place: PagePlace,
): Html | null {
  if (windows.length === 0) return null;
  return html`<section>
    <h2>${title}</h2>
    ${windows.map((window) => windowBox(model, window, words, place))}
  </section>`;
}

const windowBox = (
  model: PageModel,
  window: PlannedWindow,
  words: PageWords,
  place: PagePlace,
): Html =>
  html`<article class="report planned">
    <h3><a href="${windowAddress(model, window, words, place)}">${window.title}</a></h3>
    <p class="when period">
      <time datetime="${isoTime(window.from)}" data-until="${isoTime(window.to)}"
        >${words.period(window.from, window.to)}</time
      >
    </p>
    <p class="kind">
      ${words.texts.affected}${words.texts.colon}${affected(model, window.components) || words.texts.whole}
    </p>
    ${window.updates.map(
      ({ at, message }) =>
        html`<p class="when since-then">
            <time datetime="${isoTime(at)}">${words.moment(at)}</time>
          </p>
          <div class="said">${reportMarkup(message)}</div>`,
    )}
    <div class="said">${reportMarkup(window.message)}</div>
  </article>`;

const windowAddress = (
  { definition }: PageModel,
  { id }: PlannedWindow,
  { locale }: PageWords,
  place: PagePlace,
): string => localePath(place, locale, definition, pathOfView({ of: "maintenance", id }));

/** Nothing if there are none while another is open: that there are no reports would be wrong then. */
function pastReports(model: PageModel, words: PageWords, place: PagePlace): Html | null {
  const { texts } = words;
  const since = model.now - reportsShownFor;
  const lately = model.pastReports.filter((report) => latestOf(report, model.now) >= since);
  if (lately.length === 0 && model.openReports.length > 0) return null;
  return html`<section aria-labelledby="past">
    <h2 id="past">${texts.pastReports}</h2>
    ${
      lately.length === 0
        ? html`<p class="kind">${texts.noReports}</p>`
        : reportDays(model, lately).map((days) => pastDays(model, days, words, place))
    }
  </section>`;
}

/** `18 Nov 2026` over the reports of the day, or `8 Nov – 17 Nov: No reports`. */
function pastDays(
  model: PageModel,
  { first, last, reports }: ReportDays,
  words: PageWords,
  place: PagePlace,
): Html {
  const { texts } = words;
  if (reports.length > 0)
    return html`<h3>${words.date(first)}</h3>
      ${reports.map((report) => reportArticle(shownReport(model, report, words, place), words, "h4"))}`;
  const dates = [...new Set([first, last])].map(words.dayAndMonth).join(" – ");
  return html`<p class="no-reports">${dates}${texts.colon}${texts.noReportsThen}</p>`;
}
