import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { verdictMark } from "#web/page/verdict-mark";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { may } from "#service/operator/roles";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { FormState } from "#service/operator/forms/form-group";
import { reportWords } from "#service/operator/publishing/report-fields";
import { impactWords } from "#service/operator/publishing/report-impacts";
import { publicPath } from "#service/operator/publishing/status-page-list-view";
import type { RecoveredComponents } from "#service/operator/publishing/recovered-components";
import { type FailingComponent, failingNote } from "#service/operator/publishing/failing-note";
import { recoveredLead, recoveredNote } from "#service/operator/publishing/recovered-note";
import { recipientWords } from "#service/operator/publishing/recipient-lines";
import { titlePath } from "#service/operator/publishing/report-corrections";
import { reportForm } from "#service/operator/publishing/report-form";
import type { Audience } from "#service/operator/publishing/subscriber-count";
import {
  chosenLine,
  noTemplates,
  type OfferedTemplates,
  templateChoice,
} from "#service/operator/publishing/templates/template-choice";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { NewsTally } from "#service/store/news/news-tally";
import type { PageContent, ReportRow, ReportUpdate } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

export interface ReportPage {
  readonly report: ReportRow;
  readonly content: PageContent;
  /** What it still calls impaired although it works; null if nothing is. */
  readonly recovered: RecoveredComponents | null;
  /** What monitors see fail of it now. */
  readonly failing: readonly FailingComponent[];
  /** What the form of the next update has in it. */
  readonly state: FormState;
  /** Whether a person came to write, or has something typed: of a report that is over the form is folded else. */
  readonly isWriting: boolean;
  /** What it can begin with; left out once it is sent. */
  readonly templates?: OfferedTemplates;
  readonly reader: KnownReader;
  /** Whom the next update reaches if it is sent. */
  readonly audience: Audience;
  /** What became of those of its updates that went to them. */
  readonly tallies: readonly NewsTally[];
  readonly notice: FormNotice | null;
  readonly now: EpochMillis;
}

/** One report: what was said, the newest first, and a form to say more. */
export function reportView(page: ReportPage): Html {
  const { report, content, reader, notice } = page;
  const { components } = content;
  const concerned = components.filter(({ id }) => report.components.includes(id));
  return html`<p class="back">
      <a href="/status-pages/${report.page}/reports">${content.page.definition.title}</a>
    </p>
    <div class="title-line">
      <div>
        <h1 class="target">${report.title}</h1>
        <p class="verdict">
          ${reportMark(report)}
          <span class="kind"
            >${concerned.length === 0 ? "the page as a whole" : concerned.map(({ name }) => name).join(", ")}</span
          >
        </p>
      </div>
      ${reportActs(page)}
    </div>
    ${noticeLine(notice)}
    ${page.recovered === null ? null : recoveredNote(report, page.recovered, reader, "main")}
    <section aria-labelledby="updates">
      <h2 id="updates">Updates</h2>
      <ul class="watched incidents said-updates">
        ${report.updates.map((update) => updateLine(update, page))}
      </ul>
    </section>
    ${may(reader, "responder") ? nextSection(page) : null}
    ${
      mayChange(reader)
        ? html`<p class="acts">
            <a class="button" href="/status-pages/${report.page}/templates/new?report=${report.id}"
              >Save as a template</a
            >
            <a class="button danger" href="/reports/${report.id}/delete">Delete the report…</a>
          </p>`
        : null
    }`;
}

/** The report as its readers see it, the form that has its title, and the one that ends it, filled in. */
function reportActs({ report, content: { page }, recovered, reader }: ReportPage): Html {
  const base = page.definition.published ? publicPath(page) : `/status-pages/${page.id}/preview`;
  const isOpen = report.status !== "resolved" && may(reader, "responder");
  const title = may(reader, "responder") ? titlePath(report) : null;
  // Else the button is next to the sentence that says why.
  const hasResolve = isOpen && recovered?.isAll !== true;
  return html`<div class="acts">
    <a
      class="button"
      href="${base}/events/report/${report.id}${page.definition.published ? `?as-of=${asOf(report)}` : ""}"
    >
      ${page.definition.published ? "View on the page" : "Preview on the page"}
    </a>
    ${title === null ? null : html`<a class="button" href="${title}">Correct the title</a>`}
    ${hasResolve ? html`<a class="button" href="/reports/${report.id}?status=resolved#next">Resolve</a>` : null}
  </div>`;
}

/** A browser that has just read the report keeps that for ten seconds: another address shows what was published since. */
const asOf = ({ updatedAt, updates }: ReportRow): number =>
  Math.max(updatedAt, ...updates.map(({ createdAt }) => createdAt));

function nextSection(page: ReportPage): Html {
  const { report, content, recovered, state, reader, audience, now } = page;
  const action = `/reports/${report.id}`;
  const { typed } = state;
  const isSaid = typed.get("status") === "resolved" || typed.get("impact") === "operational";
  const lead = html`${
    page.failing.length === 0 || report.status === "resolved"
      ? null
      : failingNote(page.failing, typed.get("status") === "resolved")
  }${recovered === null || recovered.isAll || isSaid ? null : recoveredLead(report, recovered)}`;
  const form = {
    kind: "update",
    action,
    state,
    content,
    report,
    reader,
    audience,
    now,
  } as const;
  const { templates = noTemplates } = page;
  const writing = html`${templateChoice(`${action}#next`, templates)} ${chosenLine(templates)}
  ${reportForm({ ...form, corrected: null, cancel: action, lead })}`;
  if (report.status === "resolved" && !page.isWriting)
    return html`<details id="next-update" class="another">
      <summary class="button">Write another update</summary>
      ${writing}
    </details>`;
  return html`<section aria-labelledby="next">
    <h2 id="next">Write an update</h2>
    ${writing}
  </section>`;
}

export const reportMark = ({ status }: Pick<ReportRow, "status">): Html =>
  verdictMark(status === "resolved" ? "success" : "degraded", reportWords[status]);

function updateLine(
  { id, status, at, message, impacts }: ReportUpdate,
  { report, content: { components }, reader, tallies, now }: ReportPage,
): Html {
  const sent = tallies.find(({ about }) => about === id);
  const path = `/reports/${report.id}/updates/${id}`;
  const isOnly = report.updates.length === 1;
  const nameOf = (id: number): string =>
    components.find((one) => one.id === id)?.name ?? "a removed component";
  const said = impacts.map(
    ({ component, impact }) => `${nameOf(component)}: ${impactWords[impact]}`,
  );
  return html`<li class="incident">
    ${reportMark({ status })}
    <h3><time datetime="${isoTime(at)}">${dayAndTime(at)}</time></h3>
    <p class="kind">${said.join("; ")}</p>
    <div class="why">
      <div class="said">${reportMarkup(message)}</div>
      ${sent === undefined ? null : html`<p class="words">Subscribers: ${recipientWords(sent, now)}</p>`}
      <div class="acts">
        ${may(reader, "responder") ? html`<a class="button small" href="${path}/edit">Correct${whichUpdate(at)}</a>` : null}
        ${mayChange(reader) && !isOnly ? html`<a class="button small" href="${path}/remove">Remove${whichUpdate(at)}</a>` : null}
      </div>
    </div>
  </li>`;
}

/** For those who hear the link alone: the time is the one that is shown, also in the zone of the reader. */
const whichUpdate = (at: EpochMillis): Html =>
  html`<span class="unseen"> the update of ${momentOf(at)}</span>`;
