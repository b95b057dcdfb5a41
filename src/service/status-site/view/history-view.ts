import { html, type Html } from "#web/page/html";
import { plannedMark, verdictMark } from "#web/page/verdict-mark";
import { isGiven } from "#service/status-site/view/given-words";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { pathOfView } from "#service/status-site/page-path";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import { affected, timeOf } from "#service/status-site/view/report-box";
import type { PageWords } from "#service/status-site/view/words";
import type { PlannedWindow, ReportFacts } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";
import { lengthOfReport } from "#service/status-page/report-length";
import { after, type EpochMillis } from "#base/units";

/** Something that is over, as a few lines: its page has all that was said. */
interface PastEvent {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly title: string;
  readonly path: string;
  readonly mark: Html;
  /** `Lasted 42 min`; null if that is not known, or its times say it. */
  readonly lasted: string | null;
  readonly message: string;
  readonly names: string;
}

/** Reports and maintenance that are over, the newest first, below the months in which they began. */
export function historyView(model: PageModel, words: PageWords, place: PagePlace): readonly Html[] {
  const events = [
    ...model.pastReports.map((report) => pastReport(model, report, words)),
    ...model.pastWindows.map((window) => pastWork(model, window, words)),
  ].toSorted((a, b) => b.from - a.from);
  const months = Map.groupBy(events, ({ from }) => words.month(from));
  return [...months].map(
    ([month, own]) =>
      html`<section>
        <h2>${month}</h2>
        <ul class="history">
          ${own.map((event) => eventItem(event, model, words, place))}
        </ul>
      </section>`,
  );
}

function pastReport(model: PageModel, report: ReportFacts, words: PageWords): PastEvent {
  const { texts } = words;
  const out = report.updates.filter(({ at }) => at <= model.now);
  const first = out.at(-1);
  const length = lengthOfReport(report, model.now);
  const from = first?.at ?? model.now;
  return {
    from,
    to: length === null ? from : after(from, length),
    title: report.title,
    path: pathOfView({ of: "report", id: report.id }),
    mark: verdictMark("success", texts.report.resolved),
    lasted: length === null ? null : texts.lasted(words.length(length)),
    message: messageOf(out),
    names: affected(model, report.components),
  };
}

/** The last thing that a person said of its end; none if the end was said in the words that a form begins with. */
const messageOf = (out: ReportFacts["updates"]): string =>
  out.find(({ status, message }) => status === "resolved" && !isGiven(message))?.message ?? "";

function pastWork(model: PageModel, window: PlannedWindow, words: PageWords): PastEvent {
  const { id, from, to, title, message, components } = window;
  return {
    from,
    to,
    title,
    path: pathOfView({ of: "maintenance", id }),
    mark: plannedMark(words.texts.state.maintenance),
    lasted: null,
    message,
    names: affected(model, components),
  };
}

function eventItem(event: PastEvent, model: PageModel, words: PageWords, place: PagePlace): Html {
  const { from, to, title, path, mark, lasted, message, names } = event;
  const address = localePath(place, words.locale, model.definition, path);
  return html`<li>
    <h3><a href="${address}">${title}</a></h3>
    ${mark} ${message === "" ? null : html`<div class="said">${reportMarkup(message)}</div>`}
    <p class="kind">
      ${timeOf(from, to, words)}${lasted === null ? null : ` · ${lasted}`}${names === "" ? null : ` · ${names}`}
    </p>
  </li>`;
}
