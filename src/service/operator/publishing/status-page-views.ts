import { counted, dayAndTime, isoTime } from "#web/page/format";
import type { Basis } from "#service/store/audit/actor";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { ownForm } from "#service/operator/form-fields";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { may } from "#service/operator/roles";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import { additionForms } from "#service/operator/publishing/component-forms";
import { componentList } from "#service/operator/publishing/component-list-view";
import type { MovedComponent } from "#service/operator/publishing/component-order";
import { managedNote } from "#service/operator/managed-note";
import { scriptTag } from "#service/operator/script-tag";
import { reportMark } from "#service/operator/publishing/report-views";
import { publicPath, publishedMark } from "#service/operator/publishing/status-page-list-view";
import { lookFacts, pageFacts } from "#service/operator/publishing/page-facts-view";
import { lookForm, pageForm } from "#service/operator/publishing/status-page-form";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { PageContent, ReportRow } from "#service/store/page-store";

export interface StatusPageView {
  /** The version that its forms show. */
  readonly basis: Basis;
  readonly content: PageContent;
  readonly reports: readonly ReportRow[];
  readonly total: number;
  /** How many get its news. */
  readonly subscribers: number;
  readonly offset: number;
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** The component whose form is shown, by its id; null: none is. */
  readonly edited: string | null;
  readonly moved: MovedComponent | null;
  /** The form of this page that was refused. */
  readonly refused: RefusedForm | null;
  readonly notice: FormNotice | null;
}

/** One status page: what stands on it, what was reported on it, and its settings. */
export function statusPageView(view: StatusPageView): Html {
  const { content, notice } = view;
  const { page } = content;
  const { title, description, published } = page.definition;
  return html`<p class="back"><a href="/status-pages">All status pages</a></p>
    <div class="title-line">
      <div>
        <h1 class="target">${title}</h1>
        <p class="verdict">
          ${publishedMark(page)}
          <span class="kind">
            ${published ? publicPath(page) : `it will be at ${publicPath(page)}`}
          </span>
        </p>
      </div>
      ${pageActs(view)}
    </div>
    ${description === "" ? null : html`<p class="why">${description}</p>`} ${noticeLine(notice)}
    ${managedNote(page.owner)} ${reportSection(view)} ${pageSection(view)} ${componentSection(view)}
    ${lookSection(view)} ${subscriberSection(view)} ${dangerSection(view)}`;
}

/** A page of a file is changed there: the next reading of the file would bring it back. */
const isOfFile = ({ content: { page } }: StatusPageView): boolean => page.owner !== "";
const mayEdit = (view: StatusPageView): boolean => mayChange(view.reader) && !isOfFile(view);

/** One of them is what the page is for now: until it is published, that; then, reading it. */
function pageActs(view: StatusPageView): Html {
  const { page } = view.content;
  const { title, published } = page.definition;
  const path = `/status-pages/${page.id}`;
  if (published)
    return html`<div class="acts">
      ${mayEdit(view) ? ownForm(`${path}/withdraw`, view.reader, html`<button type="submit" class="bare" aria-label="Unpublish: ${title}">Unpublish</button>`) : null}
      <a class="button main" href="${publicPath(page)}">View page</a>
    </div>`;
  if (!mayEdit(view))
    return html`<div class="acts"><a class="button main" href="${path}/preview">Preview</a></div>`;
  return html`<div class="acts">
    <a class="button" href="${path}/preview">Preview</a>
    ${ownForm(`${path}/publish`, view.reader, html`<button type="submit" class="main" aria-label="Publish: ${title}">Publish</button>`)}
  </div>`;
}

function componentSection(view: StatusPageView): Html {
  const { content } = view;
  const { components, groups } = content;
  return html`<section aria-labelledby="parts">
    <h2 id="parts">Components</h2>
    ${
      components.length === 0 && groups.length === 0
        ? html`<p class="advice">
            Nothing yet. Add the monitors that readers should see, then publish.
          </p>`
        : componentList({ ...view, mayEdit: mayEdit(view) })
    }
    ${
      mayEdit(view)
        ? html`<div class="side-acts">${additionForms(view)}</div>
            ${scriptTag("order")}`
        : null
    }
  </section>`;
}

function reportSection(view: StatusPageView): Html {
  const { content, reports, total, offset, reader } = view;
  const path = `/status-pages/${content.page.id}`;
  return html`<section aria-labelledby="reports">
    <h2 id="reports">Status reports</h2>
    ${
      may(reader, "responder")
        ? html`<p class="acts"><a class="button" href="${path}/reports/new">Write a report</a></p>`
        : null
    }
    ${
      reports.length === 0
        ? html`<p class="advice">
            Nothing was reported. Write a report if something is wrong: readers see what you do
            about it.
          </p>`
        : html`<ul class="watched incidents">
            ${reports.map(reportLine)}
          </ul>`
    }
    ${pagingNav({
      label: "More reports",
      offset,
      size: limits.reportsListed,
      matched: total,
      to: (to) => `${path}?offset=${to}`,
    })}
  </section>`;
}

const reportLine = (report: ReportRow): Html =>
  html`<li class="incident">
    ${reportMark(report)}
    <h3><a href="/reports/${report.id}">${report.title}</a></h3>
    <p class="kind">
      ${report.updates.map(({ at }) => html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`)[0] ?? null},
      ${counted(report.updates.length, "update")}
    </p>
    <div class="why">${reportMarkup(report.updates[0]?.message ?? "")}</div>
  </li>`;

const pageSection = (view: StatusPageView): Html =>
  html`<section aria-labelledby="page">
    <h2 id="page">Page</h2>
    ${pageFacts(view.content.page)} ${mayEdit(view) ? pageForm(changedPage(view)) : null}
  </section>`;

const lookSection = (view: StatusPageView): Html =>
  html`<section aria-labelledby="look">
    <h2 id="look">Look</h2>
    ${lookFacts(view.content.page)} ${mayEdit(view) ? lookForm(changedPage(view)) : null}
  </section>`;

const changedPage = ({ content, refused, reader, basis }: StatusPageView) => ({
  row: content.page,
  refused,
  reader,
  basis,
});

const subscriberSection = ({ content, subscribers }: StatusPageView): Html =>
  html`<section aria-labelledby="subscribers">
    <h2 id="subscribers">Subscribers</h2>
    <p class="advice">
      ${subscribers === 0 ? "No one gets the page's news yet." : `${counted(subscribers, "subscriber")} ${subscribers === 1 ? "gets" : "get"} the page's news.`}
      <a href="/status-pages/${content.page.id}/subscribers">Subscribers and their news</a>
    </p>
  </section>`;

function dangerSection(view: StatusPageView): Html | null {
  if (!mayEdit(view)) return null;
  return html`<section aria-labelledby="danger">
    <h2 id="danger">Danger</h2>
    <p class="advice">
      Deleting it takes its components, reports and subscribers with it. You can undo that for ten
      minutes.
    </p>
    <p class="acts">
      <a class="button danger" href="/status-pages/${view.content.page.id}/delete"
        >Delete status page…</a
      >
    </p>
  </section>`;
}
