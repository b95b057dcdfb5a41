import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { plannedMark, type Standing, verdictMark } from "#web/page/verdict-mark";
import { beganLine, reportBox } from "#service/status-site/view/report-box";
import {
  comingWork,
  runningWork,
  type ShownWork,
  windowList,
} from "#service/status-site/view/window-list";
import { pastSection } from "#service/status-site/view/past-section";
import { soFar, uptimeWords } from "#service/status-site/view/so-far";
import { barsIn, daysBar, dayShapes, daysNote } from "#service/status-site/view/days-bar";
import { maintenanceSoonWithin } from "#limits/status-limits";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import type { PageState } from "#service/status-page/component-state";
import {
  componentsOf,
  headlineOf,
  type PageModel,
  type Section,
  type ShownComponent,
} from "#service/status-page/page-model";
import { publicIdOf } from "#service/status-page/public-monitor";
import { after } from "#base/units";
import { reportMarkup } from "#service/status-site/view/report-markup";

/** The page itself: how things stand in one sentence, what people report, and each component with its days. */
export function statusView(model: PageModel, words: PageWords, place: PagePlace): Html {
  const { texts } = words;
  const { definition, overall } = model;
  const coming = comingWork(model);
  const soon = coming.filter((work) => isAnnounced(work, model));
  const later = coming.filter((work) => !soon.includes(work));
  const laterTitle = soon.length === 0 ? texts.maintenanceComing : texts.maintenanceLater;
  return html`<h1 class="overall ${marks[overall]}">
      ${stateMark(overall, headlineOf(model, texts))}
    </h1>
    ${model.isLate ? null : freshness(model, words)}
    ${model.openReports.map((report) => reportBox(model, report, words, place))}
    ${definition.description === "" ? null : html`<div class="advice said">${reportMarkup(definition.description)}</div>`}
    ${windowList(model, runningWork(model), texts.maintenanceNow, words, place)}
    ${windowList(model, soon, texts.maintenanceComing, words, place)}
    ${componentsSection(model, words, place)} ${windowList(model, later, laterTitle, words, place)}
    ${pastSection(model, words, place, saysDays(model))}`;
}

/** As of when it is: whoever is in a hurry sees first that it is not old. A page that is late says so above its heading. */
const freshness = ({ now }: PageModel, { texts, moment }: PageWords): Html =>
  html`<p class="fresh">${texts.asOf} <time datetime="${isoTime(now)}">${moment(now)}</time></p>`;

/** Whether it is said below the bars when days begin: of hours it is not. */
const saysDays = (model: PageModel): boolean =>
  componentsOf(model).some(hasStrip) && componentsOf(model).every(({ hours }) => hours === null);

/** A page that has none yet says nothing of them. */
function componentsSection(model: PageModel, words: PageWords, place: PagePlace): Html | null {
  if (model.sections.length === 0) return null;
  const days = componentsOf(model).flatMap((one) => (hasStrip(one) ? [one.days] : []));
  const areHours = componentsOf(model).some(({ hours }) => hours !== null);
  const hasGroup = model.sections.some(({ kind }) => kind === "group");
  return html`<section aria-labelledby="components">
    <h2 id="components">${words.texts.components}</h2>
    ${days.length === 0 ? null : dayShapes(barsIn(model))}
    <ul class="components">
      ${model.sections.map((section) => sectionItem(section, model, words, place))}
    </ul>
    ${days.length === 0 ? null : daysNote(days, model.firstDay, words, { hasGroup, areHours })}
  </section>`;
}

/** One bar says nothing of a component that no monitor measures: its days are shown from the second or the first trouble on. */
const hasStrip = ({ facts, days }: ShownComponent): boolean => {
  if (facts.monitor !== null) return true;
  const known = days.filter(({ state }) => state !== "empty");
  return known.length > 1 || known.some(({ state }) => state !== "operational");
};

/**
 * Planned work that begins soon is above the components, and all other below them: the state of a page is seen first. During
 * trouble none is above, because whoever comes then asks what fails.
 */
const isAnnounced = ({ window }: ShownWork, model: PageModel): boolean =>
  !isInTrouble(model) && window.from <= after(model.now, maintenanceSoonWithin);

const isInTrouble = ({ openReports, overall }: PageModel): boolean =>
  openReports.length > 0 || troubles.has(overall);

const troubles: ReadonlySet<PageState> = new Set(["degraded", "partial_outage", "major_outage"]);

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
  const { id, name, state, isOpen, days, hours, lowest, components } = section;
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
        ${daysBar({ days, hours, firstDay: model.firstDay }, words, uptimeShown(lowest, model, words))}
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
  const { facts, state, days, hours } = shown;
  const share = uptimeShown(shown, model, words);
  return html`<li class="component" id="component-${facts.id}">
    <h3>${nameOf(shown, model.definition, words, place)}</h3>
    ${stateMark(state, words.texts.state[state])}
    ${facts.description === "" ? null : html`<p class="kind">${facts.description}</p>`}
    ${outageSince(shown, model, words)}
    ${hasStrip(shown) ? html`<div class="days">${daysBar({ days, hours, firstDay: model.firstDay }, words, share)}</div>` : null}
  </li>`;
}

/** Since when its monitor is down, of a component in trouble that no open report is about: that says it by itself. */
function outageSince(
  { facts, state }: ShownComponent,
  { openReports }: PageModel,
  words: PageWords,
): Html | null {
  const lasting = facts.monitor?.outages.find(({ to }) => to === null);
  const isReported = openReports.some(({ components }) => components.includes(facts.id));
  return lasting === undefined || isReported || !troubles.has(state)
    ? null
    : beganLine(lasting.from, words);
}

/** `99.98 % uptime`; null if nothing is known, or none is shown. */
function uptimeShown(shown: ShownComponent, model: PageModel, words: PageWords): Html | null {
  const { days, uptime } = shown;
  const { configuration } = model.definition;
  // Its days are known, but planned work was all there was.
  const isBlank = configuration.showUptime && days.some((one) => one.state === "maintenance");
  if (uptime === null && !isBlank) return null;
  const counted = uptime === null ? "" : soFar(shown, model, words);
  return html`<strong>${uptime === null ? "–" : words.percent(uptime)}</strong>
    <span>${uptimeWords(shown, model, words)}${counted}</span>`;
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
