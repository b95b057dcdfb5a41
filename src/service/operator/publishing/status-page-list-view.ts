import { type FormFields, column } from "#check/form-field";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { filesChip } from "#service/operator/managed-note";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";
import { boxForm, type RefusedForm } from "#service/operator/forms/box-form";
import { namingMark } from "#service/operator/publishing/naming-mark";
import { openGroup } from "#service/operator/forms/form-group";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import { listedMark, type ListedPage } from "#service/operator/publishing/listed-pages";
import { reportPlain } from "#service/status-site/view/report-markup";
import { accessWords } from "#service/operator/publishing/setting-words";
import { scriptTag } from "#service/operator/script-tag";
import { isSlug, slugWords } from "#service/status-page/page-rules";
import { chosenZone } from "#service/operator/zones/zoned-page";
import { settingsFields } from "#service/operator/publishing/status-page-fields";
import { slugFromTitle } from "#service/status-page/slug-from-title";
import type { StatusPageRow } from "#service/store/page-store";

interface StatusPageList {
  readonly pages: readonly ListedPage[];
  readonly total: number;
  readonly offset: number;
  readonly reader: KnownReader;
  /** The service's own, without a slash at its end. */
  readonly address: string;
}

/** All status pages; if there is none, a form that makes the first. */
export function statusPageListView(list: StatusPageList): Html {
  const { pages, total, offset, reader } = list;
  return html`${listHead({
      title: "Status pages",
      count: total === 0 ? "No status page" : counted(total, "status page"),
      sentence: "A status page says to your customers or colleagues what works and what does not.",
      acts: mayChange(reader) && total > 0 ? mainAct("/status-pages/new", "New status page") : null,
    })}
    ${mayChange(reader) && total === 0 ? newPageForm({ reader, refused: null, address: list.address, isFirst: true }) : null}
    <section aria-labelledby="pages">
      <h2 id="pages" class="unseen">All status pages</h2>
      ${
        total === 0
          ? null
          : html`<ul class="watched incidents">
              ${pages.map(pageLine)}
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

/** What a new page needs. */
export const newPageFields: FormFields<"title" | "slug" | "time_zone"> = {
  title: column("Title", { is: "text", width: "name" }, "Readers see it at the top of the page."),
  slug: column(
    "Name in the address",
    { is: "text", width: "name" },
    "For example: acme. Left empty, it is made from the title.",
  ),
  time_zone: { ...settingsFields.time_zone, group: "" },
};

interface NewPage {
  readonly reader: KnownReader;
  readonly refused: RefusedForm | null;
  readonly address: string;
  /** Whether there is no list to go back to: the form is in its place. */
  readonly isFirst: boolean;
}

/** The page that makes a status page. */
export const newPageView = (made: Omit<NewPage, "isFirst">): Html =>
  html`<p class="back"><a href="/status-pages">Status pages</a></p>
    <h1 class="page">New status page</h1>
    ${newPageForm({ ...made, isFirst: false })}`;

const newPageForm = ({ reader, refused, address, isFirst }: NewPage): Html =>
  html`<div class="new-page">
    ${boxForm({
      action: "/status-pages",
      reader,
      fields: newPageFields,
      groups: [openGroup("", "What it is")],
      choices: {},
      fresh: new URLSearchParams({ time_zone: chosenZone(reader) ?? "UTC" }),
      refused,
      basis: null,
      isNew: true,
      submit: "Create status page",
      ...(isFirst ? {} : { cancel: "/status-pages" }),
      extra: html`${addressPart(refused?.state.typed ?? new URLSearchParams(), address)}
      ${namingMark("slug", "title")} ${scriptTag("preview")} ${scriptTag("zone")}`,
    })}
  </div>`;

/** Where readers will find the page. It follows what is typed if a script may run. */
export function addressPart(typed: URLSearchParams, address: string): Html {
  const slug = slugIn(typed).toLowerCase();
  if (slug !== "" && !isSlug(slug))
    return html`<p class="help" data-preview aria-live="polite">
      The name in the address ${slugWords}.
    </p>`;
  return html`<p class="help" data-preview aria-live="polite">
    Readers will find it at
    <strong>${address.replace(/^https?:\/\//, "")}/status/${slug === "" ? "…" : slug}</strong>, once
    you publish it.
  </p>`;
}

/** The name in the address as it was typed, or made from the title. */
export function slugIn(typed: URLSearchParams): string {
  const slug = typed.get("slug")?.trim() ?? "";
  return slug === "" ? slugFromTitle(typed.get("title") ?? "") : slug;
}

export const publishedMark = ({ definition }: StatusPageRow): Html =>
  definition.published ? verdictMark("success", "Published") : verdictMark("unchecked", "Draft");

export const publicPath = ({ definition }: StatusPageRow): string => `/status/${definition.slug}`;

function pageLine(page: ListedPage): Html {
  const { row } = page;
  const { title, access, description, published } = row.definition;
  const place = `${publicPath(row)}, open to ${accessWords[access]}`;
  return html`<li class="incident">
    ${listedMark(page)}
    <h3><a href="/status-pages/${row.id}">${title}</a>${filesChip(row.owner)}</h3>
    <p class="kind">${published ? "Published at " : ""}${place}</p>
    <p class="why">${reportPlain(description)}</p>
    ${published ? html`<p class="next"><a class="button" href="${publicPath(row)}" aria-label="View ${title}">View</a></p>` : null}
  </li>`;
}
