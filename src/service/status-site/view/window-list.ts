import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { affected } from "#service/status-site/view/report-box";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import type { PlannedWindow } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";

/** Planned work below a heading; on its own page, whose heading has its title, each time is `isAlone`. */
export function windowList(
  model: PageModel,
  windows: readonly PlannedWindow[],
  title: string,
  words: PageWords,
  place: PagePlace,
  isAlone = false,
): Html | null {
  if (windows.length === 0) return null;
  const titled = (window: PlannedWindow): Html | null =>
    isAlone ? null : windowTitle(model, window, words, place);
  return html`<section>
    <h2>${title}</h2>
    ${windows.map((window) => windowBox(model, window, titled(window), words))}
  </section>`;
}

const windowBox = (
  model: PageModel,
  window: PlannedWindow,
  title: Html | null,
  words: PageWords,
): Html =>
  html`<article class="report planned">
    ${title}
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

const windowTitle = (
  { definition }: PageModel,
  { id, title }: PlannedWindow,
  { locale }: PageWords,
  place: PagePlace,
): Html => {
  const address = localePath(place, locale, definition, pathOfView({ of: "maintenance", id }));
  return html`<h3><a href="${address}">${title}</a></h3>`;
};
