import type { Basis } from "#service/store/audit/actor";
import { html, type Html } from "#web/page/html";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { ownForm } from "#service/operator/form-fields";
import { managedNote } from "#service/operator/managed-note";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { publicPath, publishedMark } from "#service/operator/publishing/status-page-list-view";
import { may } from "#service/operator/roles";
import type { StatusPageRow } from "#service/store/page-store";

/** What can be done with a status page, a page of ours for each: the first is where its own address leads. */
const pageTabs = [
  "components",
  "reports",
  "look",
  "access",
  "subscribers",
  "share",
  "settings",
] as const;
export type PageTab = (typeof pageTabs)[number];

export const tabWords: { readonly [T in PageTab]: string } = {
  components: "Components",
  // Its heading says in full that they are status reports: the tabs have to fit a phone.
  reports: "Reports",
  look: "Look",
  access: "Access",
  subscribers: "Subscribers",
  share: "Share",
  settings: "Settings",
};

/** Those with nothing in them that a file says. */
const ofPeople: ReadonlySet<PageTab> = new Set(["reports", "subscribers", "share"]);

export const tabPath = (page: number, tab: PageTab): string =>
  tab === "components" ? `/status-pages/${page}` : `/status-pages/${page}/${tab}`;

/** The tab that a form was sent from; the first one if it does not say. */
export const tabIn = (form: URLSearchParams): PageTab =>
  pageTabs.find((tab) => tab === form.get(tabField)) ?? "components";
export const tabField = "tab";

/** What is said once a page is published, or taken back. */
export const stateNotices = {
  published: "Published. Whoever opens the page sees it.",
  withdrawn: "Unpublished: no one can read it any more.",
} as const;

interface TabbedPage {
  readonly row: StatusPageRow;
  /** Whether readers would see nothing on it. */
  readonly isEmpty: boolean;
  readonly tab: PageTab;
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
  /** The version that its forms show, if it has any. */
  readonly basis?: Basis;
  readonly content: Html;
  /** The address of the page as its readers see it; null: what the tab is about is not seen there. */
  readonly preview: string | null;
}

/** One tab of a status page, with the page as its readers see it next to it. */
export const tabbedPage = (tabbed: TabbedPage): Html => {
  const { row, tab, notice, content, preview } = tabbed;
  return html`<p class="back"><a href="/status-pages">All status pages</a></p>
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
      ${pageActs(tabbed)}
    </div>
    ${draftLine(tabbed)} ${tabsNav(row, tab)} ${noticeLine(notice)}
    ${ofPeople.has(tab) ? null : managedNote(row.owner)}
    ${
      preview === null
        ? html`<div class="tab">${content}</div>`
        : html`<div class="with-preview">
            <div class="tab">${content}</div>
            ${previewPane(row, preview)}
          </div>`
    }`;
};

const tabsNav = ({ id }: StatusPageRow, current: PageTab): Html =>
  html`<nav class="parts" aria-label="Status page">
    ${pageTabs.map(
      (tab) =>
        html`<a href="${tabPath(id, tab)}" ${tab === current ? html` aria-current="page"` : null}
          >${tabWords[tab]}</a
        > `,
    )}
  </nav>`;

/** Until a size is chosen, the preview is as wide as the window says: see `.preview-sizes`. */
const previewPane = ({ id, definition }: StatusPageRow, preview: string): Html =>
  html`<aside class="preview-pane" aria-labelledby="preview">
    <div class="preview-head">
      <h2 id="preview">Preview</h2>
      <fieldset class="preview-sizes">
        <legend class="unseen">Size of the preview</legend>
        <label><input type="radio" name="size" value="desk" /> Desktop</label>
        <label><input type="radio" name="size" value="phone" /> Phone</label>
      </fieldset>
      <a href="/status-pages/${id}/preview">Open</a>
    </div>
    <div class="preview-frame">
      <iframe src="${preview}" title="Preview of ${definition.title}" loading="lazy"></iframe>
    </div>
  </aside>`;

/** A page of a file is changed there: the next reading of the file would bring it back. */
export const mayEditPage = ({ owner }: StatusPageRow, reader: KnownReader): boolean =>
  mayChange(reader) && owner === "";

/** What can be done on each tab: a published page is read, a draft has its first act below. */
function pageActs({ row, tab, reader, basis }: TabbedPage): Html {
  const { title, published } = row.definition;
  // A browser that has just read the page keeps that for ten seconds: another address shows what was saved since.
  const asOf = basis === undefined ? "" : `?as-of=${basis.version}`;
  return html`<div class="acts">
    ${
      published && mayEditPage(row, reader)
        ? html`<a
            class="button bare"
            href="/status-pages/${row.id}/withdraw?${tabField}=${tab}"
            aria-label="Unpublish: ${title}"
            >Unpublish</a
          >`
        : null
    }
    ${
      mayChange(reader)
        ? html`<a class="button" href="/maintenances/new?page=${row.id}">Plan maintenance</a>`
        : null
    }
    ${
      may(reader, "responder")
        ? html`<a class="button" href="/status-pages/${row.id}/reports/new">Write a report</a>`
        : null
    }
    ${published ? html`<a class="button main" href="${publicPath(row)}${asOf}">View page</a>` : null}
  </div>`;
}

/** Says of a published page that nothing is between an act and its readers. */
const publicLine = ({ row, reader }: TabbedPage): Html | null =>
  !mayEditPage(row, reader)
    ? null
    : html`<p class="kind seen-at-once">
        This page is ${row.definition.access === "public" ? "public" : "published"}: what you change
        here is seen at once.
      </p>`;

/** Says of a draft who sees it, and what comes next. */
function draftLine(tabbed: TabbedPage): Html | null {
  const { row, tab, reader, isEmpty } = tabbed;
  const { title, published } = row.definition;
  if (published) return publicLine(tabbed);
  const next = isEmpty
    ? "Next: add the monitors that its readers should see, then publish it."
    : "Publish it to show it to its readers.";
  return html`<div class="draft">
    <p>
      <strong>Draft:</strong> only people who sign in here see it.
      ${mayEditPage(row, reader) ? next : null}
    </p>
    ${
      mayEditPage(row, reader)
        ? publishForm(
            row,
            tab,
            reader,
            html`<button
              type="submit"
              class="${isEmpty ? "" : "main"}"
              aria-label="Publish: ${title}"
            >
              Publish
            </button>`,
          )
        : null
    }
  </div>`;
}

const publishForm = (
  { id }: StatusPageRow,
  tab: PageTab,
  reader: KnownReader,
  button: Html,
): Html =>
  ownForm(
    `/status-pages/${id}/publish`,
    reader,
    html`<input type="hidden" name="${tabField}" value="${tab}" />${button}`,
  );
