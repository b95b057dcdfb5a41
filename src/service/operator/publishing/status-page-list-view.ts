import { type FormFields, column } from "#check/form-field";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { filesChip } from "#service/operator/managed-note";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";
import { foldedForm, onlyGroup, type RefusedForm } from "#service/operator/forms/box-form";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { StatusPageRow } from "#service/store/page-store";

export interface StatusPageList {
  readonly rows: readonly StatusPageRow[];
  readonly total: number;
  readonly offset: number;
  readonly reader: KnownReader;
  /** Whether the form for a new page is wanted. */
  readonly isNew: boolean;
  /** That form if it was refused. */
  readonly refused: RefusedForm | null;
}

/** All status pages, and a form that makes one. */
export function statusPageListView(list: StatusPageList): Html {
  const { rows, total, offset, reader, refused, isNew } = list;
  return html`${listHead({
      title: "Status pages",
      count: total === 0 ? "No status page" : counted(total, "status page"),
      sentence: "A status page says to your customers or colleagues what works and what does not.",
      acts: mayChange(reader) && !isNew ? mainAct("/status-pages/new", "New status page") : null,
    })}
    ${makingForm(refused, reader, isNew || total === 0)}
    <section aria-labelledby="pages">
      <h2 id="pages" class="unseen">All status pages</h2>
      ${
        total === 0
          ? null
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

/** What a new page needs. */
export const newPageFields: FormFields<"title" | "slug"> = {
  title: column("Title", { is: "text", width: "name" }),
  slug: column(
    "Name in the address, e.g. acme",
    { is: "text", width: "name" },
    "Left empty, it is made from the title.",
  ),
};

function makingForm(
  refused: RefusedForm | null,
  reader: KnownReader,
  isOpen: boolean,
): Html | null {
  if (!mayChange(reader)) return null;
  const form = foldedForm(
    "New status page",
    {
      action: "/status-pages",
      reader,
      fields: newPageFields,
      groups: onlyGroup,
      choices: {},
      fresh: new URLSearchParams(),
      refused,
      basis: null,
      submit: "Create status page",
    },
    { isOpen, after: html`<p class="words">It is published when you say so.</p>` },
  );
  return html`<div class="making">${form}</div>`;
}

export const publishedMark = ({ definition }: StatusPageRow): Html =>
  definition.published ? verdictMark("success", "Published") : verdictMark("unchecked", "Draft");

export const publicPath = ({ definition }: StatusPageRow): string => `/status/${definition.slug}`;

const pageLine = (row: StatusPageRow): Html =>
  html`<li class="incident">
    ${publishedMark(row)}
    <h3><a href="/status-pages/${row.id}">${row.definition.title}</a>${filesChip(row.owner)}</h3>
    <p class="kind">${publicPath(row)}</p>
    <p class="why">${row.definition.description}</p>
  </li>`;
