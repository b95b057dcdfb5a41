import { counted, dayAndTime, isoTime } from "#web/page/format";
import type { Basis } from "#service/store/audit/actor";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { RefusedForm } from "#service/operator/forms/box-form";
import type { FormNotice } from "#service/operator/form-notice";
import type { KnownReader } from "#service/operator/page-request";
import { badgeAndFeeds } from "#service/operator/publishing/badge-and-feeds";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import {
  additionForm,
  type AdditionKind,
  additionMenu,
} from "#service/operator/publishing/component-additions";
import { componentList } from "#service/operator/publishing/component-list-view";
import type { MovedPart } from "#service/operator/publishing/component-order";
import { accessFacts, lookFacts, pageFacts } from "#service/operator/publishing/page-facts-view";
import {
  mayEditPage,
  type PageTab,
  tabbedPage,
  tabPath,
} from "#service/operator/publishing/page-tabs";
import { recoveredComponents } from "#service/operator/publishing/recovered-components";
import { recoveredNote } from "#service/operator/publishing/recovered-note";
import { reportMark } from "#service/operator/publishing/report-views";
import {
  accessForm,
  lookForm,
  pageForm,
  previewAddress,
} from "#service/operator/publishing/status-page-form";
import { templateSection } from "#service/operator/publishing/templates/template-list";
import { scriptTag } from "#service/operator/script-tag";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { PageContent, ReportRow } from "#service/store/page-store";
import type { TemplateRow } from "#service/store/templates/template-store";

/** The tabs that show what is kept with the page. */
export type SettledTab = Exclude<PageTab, "subscribers">;

export interface StatusPageView {
  readonly tab: SettledTab;
  /** The version that its forms show. */
  readonly basis: Basis;
  readonly content: PageContent;
  readonly reports: readonly ReportRow[];
  readonly total: number;
  readonly templates: readonly TemplateRow[];
  readonly offset: number;
  /** How many get its news. */
  readonly subscribers: number;
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** The component or group whose form is shown, by its id or key; null: none is. */
  readonly edited: string | null;
  /** What is to be added: its form is shown. */
  readonly added: AdditionKind | null;
  readonly moved: MovedPart | null;
  /** The form of this page that was refused. */
  readonly refused: RefusedForm | null;
  readonly notice: FormNotice | null;
  /** What is said at the page's domain; null if nothing is. */
  readonly domainNote: string | null;
  /** The service's own, for other machines: without a slash at its end. */
  readonly address: string;
  /** What is chosen on the tab, as its address says it. */
  readonly choices: URLSearchParams;
  /** Whether the page's address is one that its readers have, too. */
  readonly isAddressKnown: boolean;
}

/** One tab of a status page; subscribers have a view of their own. */
export const statusPageView = (view: StatusPageView): Html =>
  tabbedPage({
    ...view,
    row: view.content.page,
    isEmpty: view.content.components.length === 0,
    content: tabViews[view.tab](view),
    preview: unseen.has(view.tab) ? null : previewAddress(view.content.page, view.refused),
  });

/** What they are about is not seen on the page, or hardly: their fields have its place. */
const unseen: ReadonlySet<SettledTab> = new Set(["share", "settings"]);

const mayEdit = ({ content, reader }: StatusPageView): boolean => mayEditPage(content.page, reader);

function componentSection(view: StatusPageView): Html {
  const { content } = view;
  const { components, groups } = content;
  const isEmpty = components.length === 0 && groups.length === 0;
  return html`<section aria-labelledby="parts">
    <div class="section-head">
      <h2 id="parts">Components</h2>
      ${mayEdit(view) ? additionMenu(content) : null}
    </div>
    ${mayEdit(view) ? additionForm(view) : null}
    ${
      isEmpty
        ? mayEdit(view)
          ? null
          : html`<p class="advice">Nothing yet.</p>`
        : componentList({ ...view, mayEdit: mayEdit(view) })
    }
    ${mayEdit(view) && !isEmpty ? scriptTag("order") : null}
  </section>`;
}

function reportSection(view: StatusPageView): Html {
  const { content, reports, total, offset } = view;
  const path = tabPath(content.page.id, "reports");
  return html`<section aria-labelledby="reports">
      <h2 id="reports">Status reports</h2>
      ${
        reports.length === 0
          ? html`<p class="advice">
              Nothing was reported. Write a report if something is wrong: readers see what you do
              about it.
            </p>`
          : html`<ul class="watched incidents">
              ${reports.map((report) => reportLine(report, view))}
            </ul>`
      }
      ${pagingNav({
        label: "More status reports",
        offset,
        size: limits.reportsListed,
        matched: total,
        to: (to) => `${path}?offset=${to}`,
      })}
    </section>
    ${templateSection({ ...view, page: content.page.id })}`;
}

function reportLine(report: ReportRow, { content, picture, reader }: StatusPageView): Html {
  const { components } = content;
  const recovered = recoveredComponents(report, components, picture.monitors, picture.at);
  return html`<li class="incident">
    ${reportMark(report)}
    <h3><a href="/reports/${report.id}">${report.title}</a></h3>
    <p class="kind">
      ${report.updates.map(({ at }) => html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`)[0] ?? null},
      ${counted(report.updates.length, "update")}
    </p>
    <div class="why">
      <div class="said">${reportMarkup(report.updates[0]?.message ?? "")}</div>
      ${recovered === null ? null : recoveredNote(report, recovered, reader, "small")}
    </div>
  </li>`;
}

const settingsSection = (view: StatusPageView): Html =>
  html`<section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      ${mayEdit(view) ? pageForm(changedPage(view), view.domainNote) : pageFacts(view.content.page)}
    </section>
    ${dangerSection(view)}`;

const shareSection = (view: StatusPageView): Html =>
  badgeAndFeeds({ ...view, row: view.content.page, components: view.content.components });

const accessSection = (view: StatusPageView): Html =>
  html`<section aria-labelledby="access">
    <h2 id="access">Access</h2>
    ${mayEdit(view) ? html`${closedNote(view)} ${accessForm(changedPage(view))}` : accessFacts(view.content.page)}
  </section>`;

/** Whoever closes a page reads that its texts go on leaving it. */
function closedNote({ content: { page }, subscribers }: StatusPageView): Html | null {
  if (subscribers === 0) return null;
  const isOne = subscribers === 1;
  return html`<p class="advice">
    This page has ${counted(subscribers, "subscriber")}. If you close it by a password or to
    networks, ${isOne ? "it still gets" : "they still get"} all texts by mail and webhook:
    <a href="/status-pages/${page.id}/subscribers">remove those who must not read them</a>. If you
    open it to e-mail domains alone, mails go only there.
  </p>`;
}

const lookSection = (view: StatusPageView): Html =>
  html`<section aria-labelledby="look">
    <h2 id="look">Look</h2>
    ${mayEdit(view) ? lookForm(changedPage(view)) : lookFacts(view.content.page)}
  </section>`;

const changedPage = ({ content, refused, reader, basis }: StatusPageView) => ({
  row: content.page,
  refused,
  reader,
  basis,
});

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

const tabViews: { readonly [T in SettledTab]: (view: StatusPageView) => Html } = {
  components: componentSection,
  reports: reportSection,
  look: lookSection,
  access: accessSection,
  share: shareSection,
  settings: settingsSection,
};
