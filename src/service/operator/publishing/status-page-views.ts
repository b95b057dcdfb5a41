import { counted, dayAndTime, isoTime } from "#web/page/format";
import type { Basis } from "#service/store/audit/actor";
import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { verdictMark } from "#web/page/verdict-mark";
import { buttonForm, ownForm, textField } from "#service/operator/form-fields";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { may } from "#service/operator/roles";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import { additionForms, componentForms } from "#service/operator/publishing/component-forms";
import { inShownOrder, orderButtons } from "#service/operator/publishing/component-order";
import { scriptTag } from "#service/operator/script-tag";
import { reportMark } from "#service/operator/publishing/report-views";
import type { SettingsFields } from "#service/operator/publishing/status-page-fields";
import { settingsForm } from "#service/operator/publishing/status-page-form";
import { statusMark } from "#service/operator/status-mark";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type {
  ComponentRow,
  GroupRow,
  PageContent,
  ReportRow,
  StatusPageRow,
} from "#service/store/page-store";

export interface StatusPageList {
  readonly rows: readonly StatusPageRow[];
  readonly total: number;
  readonly offset: number;
  readonly reader: KnownReader;
  /** What stands in the fields of a new page. */
  readonly fields: { readonly title: string; readonly slug: string };
  readonly notice: FormNotice | null;
}

/** All status pages, and a form that makes one. */
export function statusPageListView(list: StatusPageList): Html {
  const { rows, total, offset, reader, fields, notice } = list;
  return html`<h1>Status pages</h1>
    <p class="lede">${total === 0 ? "No status page" : counted(total, "status page")}</p>
    ${noticeLine(notice)} ${makingForm(fields, reader, total === 0 || notice?.isFault === true)}
    <section aria-labelledby="pages">
      <h2 id="pages">What others read</h2>
      ${
        total === 0
          ? html`<p class="advice">
              A status page says to your customers or colleagues what works and what does not.
            </p>`
          : html`<ul class="watched incidents">
              ${rows.map(pageLine)}
            </ul>`
      }
      ${pagingNav({
        label: "More status pages",
        offset,
        size: limits.statusPagesListed,
        matched: total,
        to: (to) => `/status-pages?offset=${to}`,
      })}
    </section>`;
}

function makingForm(
  { title, slug }: StatusPageList["fields"],
  reader: KnownReader,
  isOpen: boolean,
): Html | null {
  if (!mayChange(reader)) return null;
  const { nameCharsMax: charsMax } = checkLimits;
  return html`<details class="act" ${isOpen ? html` open` : null}>
    <summary>Make a status page</summary>
    ${ownForm(
      "/status-pages",
      reader,
      html`${textField({ words: "Title", name: "title", value: title, charsMax, isRequired: true })}
        ${textField({ words: "Name in the address, e.g. acme", name: "slug", value: slug, charsMax, isRequired: true })}
        <button type="submit">Make it</button>`,
    )}
    <p class="words">It is published when you say so.</p>
  </details>`;
}

const publishedMark = ({ definition }: StatusPageRow): Html =>
  definition.published ? verdictMark("success", "Published") : verdictMark("unchecked", "Draft");

const publicPath = ({ definition }: StatusPageRow): string => `/status/${definition.slug}`;

const pageLine = (row: StatusPageRow): Html =>
  html`<li class="incident">
    ${publishedMark(row)}
    <h3><a href="/status-pages/${row.id}">${row.definition.title}</a></h3>
    <p class="kind">${publicPath(row)}</p>
    <p class="why">${row.definition.description}</p>
  </li>`;

export interface StatusPageView {
  /** The version that its forms show. */
  readonly basis: Basis;
  readonly content: PageContent;
  readonly reports: readonly ReportRow[];
  readonly total: number;
  readonly offset: number;
  readonly picture: Picture;
  readonly reader: KnownReader;
  readonly settings: SettingsFields;
  /** The form that is open, because something is wrong with it. */
  readonly open: "settings" | null;
  readonly notice: FormNotice | null;
}

/** One status page: what stands on it, what was reported on it, and its settings. */
export function statusPageView(view: StatusPageView): Html {
  const { content, notice } = view;
  const { page } = content;
  const { title, description, published } = page.definition;
  return html`<p class="back"><a href="/status-pages">All status pages</a></p>
    <h1 class="target">${title}</h1>
    <p class="verdict">
      ${publishedMark(page)}
      <span class="kind">
        ${published ? html`read it at <a href="${publicPath(page)}">${publicPath(page)}</a>` : `it will be at ${publicPath(page)}`}
      </span>
    </p>
    ${description === "" ? null : html`<p class="why">${description}</p>`} ${noticeLine(notice)}
    ${pageDeeds(view)}
    <p><a href="/status-pages/${page.id}/subscribers">Subscribers</a></p>
    ${reportSection(view)} ${componentSection(view)} ${settingsSection(view)}`;
}

/** A page of a file is changed there: the next reading of the file would bring it back. */
const isOfFile = ({ content: { page } }: StatusPageView): boolean => page.owner !== "";
const mayEdit = (view: StatusPageView): boolean => mayChange(view.reader) && !isOfFile(view);

function pageDeeds(view: StatusPageView): Html | null {
  const { page } = view.content;
  if (isOfFile(view))
    return html`<p class="advice">Managed by the file of ${page.owner}: edit it there.</p>`;
  if (!mayEdit(view)) return null;
  const { title, published } = page.definition;
  const path = `/status-pages/${page.id}`;
  return published
    ? buttonForm(`${path}/withdraw`, view.reader, "Withdraw", title)
    : buttonForm(`${path}/publish`, view.reader, "Publish", title);
}

function componentSection(view: StatusPageView): Html {
  const { content, picture, reader } = view;
  const { components, groups } = content;
  return html`<section aria-labelledby="parts">
    <h2 id="parts">What it shows</h2>
    ${
      components.length === 0
        ? html`<p class="advice">
            Nothing yet. Add the monitors that readers should see, then publish.
          </p>`
        : html`<ul class="watched incidents">
            ${inShownOrder(components).map((one) => componentLine(one, groups, view))}
          </ul>`
    }
    ${mayEdit(view) ? html`${additionForms(content, picture, reader)} ${scriptTag("order")}` : null}
  </section>`;
}

function componentLine(row: ComponentRow, groups: readonly GroupRow[], view: StatusPageView): Html {
  const monitor = view.picture.monitors.find(({ id }) => id === row.monitor);
  const group = groups.find(({ id }) => id === row.group);
  const dragged = mayEdit(view)
    ? html` draggable="true" data-component="${row.id}" data-group="${row.group ?? ""}"`
    : null;
  return html`<li class="incident" ${dragged}>
    ${monitor === undefined ? verdictMark("unchecked", "By reports") : statusMark(monitor.status)}
    <h3>${row.name}</h3>
    <p class="kind">
      ${monitor === undefined ? "no monitor" : html`<a href="/monitors/${monitor.id}">${monitor.name}</a>`}${group === undefined ? null : html`, in ${group.name}`}
    </p>
    <div class="why">
      ${row.description === "" ? null : html`<p>${row.description}</p>`}
      ${mayEdit(view) ? orderButtons(row, view.reader) : null}
      ${mayEdit(view) ? componentForms(row, groups, view.reader, view.basis) : null}
    </div>
  </li>`;
}

function reportSection(view: StatusPageView): Html {
  const { content, reports, total, offset, reader } = view;
  const path = `/status-pages/${content.page.id}`;
  return html`<section aria-labelledby="reports">
    <h2 id="reports">Reports, the newest first</h2>
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

function settingsSection(view: StatusPageView): Html | null {
  if (!mayEdit(view)) return null;
  const { content, settings, reader, open } = view;
  const { page } = content;
  return html`<section aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    <details class="act" ${open === "settings" ? html` open` : null}>
      <summary>Change the settings</summary>
      ${settingsForm(page, settings, reader, view.basis)}
    </details>
    <p><a class="button danger" href="/status-pages/${page.id}/delete">Delete the page…</a></p>
  </section>`;
}
