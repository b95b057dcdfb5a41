import { html, type Html } from "#web/page/html";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { ownForm } from "#service/operator/form-fields";
import { managedNote } from "#service/operator/managed-note";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { publicPath, publishedMark } from "#service/operator/publishing/status-page-list-view";
import { may } from "#service/operator/roles";
import type { StatusPageRow } from "#service/store/page-store";

/** What can be done with a status page, a page of ours for each: the first is where its own address leads. */
const pageTabs = ["components", "reports", "look", "access", "subscribers", "settings"] as const;
export type PageTab = (typeof pageTabs)[number];

export const tabWords: { readonly [T in PageTab]: string } = {
  components: "Components",
  reports: "Reports",
  look: "Look",
  access: "Access",
  subscribers: "Subscribers",
  settings: "Settings",
};

/** What no file says. */
const ofPeople: ReadonlySet<PageTab> = new Set(["reports", "subscribers"]);

export const tabPath = (page: number, tab: PageTab): string =>
  tab === "components" ? `/status-pages/${page}` : `/status-pages/${page}/${tab}`;

interface TabbedPage {
  readonly row: StatusPageRow;
  readonly tab: PageTab;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
  readonly content: Html;
  /** The address of the page as its readers see it. */
  readonly preview: string;
}

/** One tab of a status page, with the page as its readers see it next to it. */
export const tabbedPage = ({ row, tab, reader, notice, content, preview }: TabbedPage): Html =>
  html`<p class="back"><a href="/status-pages">All status pages</a></p>
    <div class="title-line">
      <div>
        <h1 class="target">${row.definition.title}</h1>
        <p class="verdict">
          ${publishedMark(row)}
          <span class="kind">
            ${row.definition.published ? publicPath(row) : `it will be at ${publicPath(row)}`}
          </span>
        </p>
      </div>
      ${pageActs(row, reader)}
    </div>
    ${tabsNav(row, tab)} ${noticeLine(notice)} ${ofPeople.has(tab) ? null : managedNote(row.owner)}
    <div class="with-preview">
      <div class="tab">${content}</div>
      ${previewPane(row, preview)}
    </div>`;

const tabsNav = ({ id }: StatusPageRow, current: PageTab): Html =>
  html`<nav class="parts" aria-label="Status page">
    ${pageTabs.map(
      (tab) =>
        html`<a href="${tabPath(id, tab)}" ${tab === current ? html` aria-current="page"` : null}
          >${tabWords[tab]}</a
        > `,
    )}
  </nav>`;

const previewPane = ({ id, definition }: StatusPageRow, preview: string): Html =>
  html`<aside class="preview-pane" aria-labelledby="preview">
    <div class="preview-head">
      <h2 id="preview">Preview</h2>
      <a href="/status-pages/${id}/preview">Open the preview</a>
    </div>
    <div class="preview-frame">
      <iframe src="${preview}" title="Preview of ${definition.title}" loading="lazy"></iframe>
    </div>
  </aside>`;

/** A page of a file is changed there: the next reading of the file would bring it back. */
export const mayEditPage = ({ owner }: StatusPageRow, reader: KnownReader): boolean =>
  mayChange(reader) && owner === "";

/** What the page is for now comes last: until it is published, that; then, reading it. */
function pageActs(row: StatusPageRow, reader: KnownReader): Html {
  const { title, published } = row.definition;
  const path = `/status-pages/${row.id}`;
  const writing = may(reader, "responder")
    ? html`<a class="button" href="${path}/reports/new">Write a report</a>`
    : null;
  if (published)
    return html`<div class="acts">
      ${mayEditPage(row, reader) ? ownForm(`${path}/withdraw`, reader, html`<button type="submit" class="bare" aria-label="Unpublish: ${title}">Unpublish</button>`) : null}
      ${writing}
      <a class="button main" href="${publicPath(row)}">View page</a>
    </div>`;
  return html`<div class="acts">
    ${writing}
    ${
      mayEditPage(row, reader)
        ? ownForm(
            `${path}/publish`,
            reader,
            html`<button type="submit" class="main" aria-label="Publish: ${title}">
              Publish
            </button>`,
          )
        : null
    }
  </div>`;
}
