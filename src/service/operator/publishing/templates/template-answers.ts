import type { Choice } from "#check/form-field";
import { html } from "#web/page/html";
import { changeTemplate, createTemplate, noTemplate } from "#service/api/template-api";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { withUndo } from "#service/operator/deleting/undo-form";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { emptyDraft, typedDraft, typedUpdate } from "#service/operator/publishing/report-fields";
import {
  definitionIn,
  fieldsOf,
  templateGroups,
  typedTemplate,
} from "#service/operator/publishing/templates/template-fields";
import { wholeNumber } from "#service/operator/whole-number";
import type { PageContent, ReportRow, ReportUpdate } from "#service/store/page-store";
import type { TemplateRow, TemplateUse } from "#service/store/templates/template-store";

const newPath = /^\/status-pages\/(?<id>\d{1,15})\/templates\/new$/;
const partPath = (deed: "edit" | "remove"): RegExp =>
  new RegExp(`^/status-pages/(?<id>\\d{1,15})/templates/(?<part>\\d{1,15})/${deed}$`);

/** `/status-pages/ID/templates/new`; `?report=` fills it with what that said first, and `?update=` with that of planned work. */
const newPage: OperatorPage = {
  role: "editor",
  path: newPath,
  answer: async (context, { id, query, reader }) => {
    const content = await contentOf(context.rooms, id);
    const { use, typed } = await begunWith(context.rooms, content, query);
    return shown(context, reader, { content, use, row: null }, { typed, mistakes: [] });
  },
};

const newForm: OperatorForm = {
  role: "editor",
  path: newPath,
  act: async (context, { id, form, reader }) => {
    const content = await contentOf(context.rooms, id);
    const use = useIn(form);
    return submitted(form, {
      fields: fieldsOf(use, content, form),
      again: (state, status) => shown(context, reader, { content, use, row: null }, state, status),
      act: async (typed) => {
        await createTemplate(
          context.rooms,
          content.page.id,
          use,
          definitionIn(use, typed, content),
        );
        return seeOther(withNotice(listPath(content), "template"));
      },
    });
  },
};

/** `/status-pages/ID/templates/ID/edit` */
const editPage: OperatorPage = {
  role: "editor",
  path: partPath("edit"),
  answer: async (context, { id, part, reader }) => {
    const content = await contentOf(context.rooms, id);
    const row = await templateOf(context.rooms, content, part);
    const state = { typed: typedTemplate(row, content), mistakes: [] };
    return shown(context, reader, { content, use: row.use, row }, state);
  },
};

const editForm: OperatorForm = {
  role: "editor",
  path: partPath("edit"),
  act: async (context, { id, part, form, reader }) => {
    const content = await contentOf(context.rooms, id);
    const row = await templateOf(context.rooms, content, part);
    const { use } = row;
    return submitted(form, {
      fields: fieldsOf(use, content, form),
      again: (state, status) => shown(context, reader, { content, use, row }, state, status),
      act: async (typed) => {
        await changeTemplate(context.rooms, row, definitionIn(use, typed, content, row.impacts));
        return seeOther(withNotice(listPath(content), "template"));
      },
    });
  },
};

const removeForm: OperatorForm = {
  role: "editor",
  path: partPath("remove"),
  act: async ({ rooms }, { id, part }) => {
    const content = await contentOf(rooms, id);
    const row = await templateOf(rooms, content, part);
    await rooms.store.pages.templates.delete(row.id);
    return seeOther(withUndo(listPath(content), "template", [row.id]));
  },
};

export const templatePages: readonly OperatorPage[] = [newPage, editPage];
export const templateForms: readonly OperatorForm[] = [newForm, editForm, removeForm];

/** The tab that lists them. */
const listPath = ({ page }: Pick<PageContent, "page">): string =>
  `/status-pages/${page.id}/reports`;

const contentOf = async ({ statusPages }: PageRooms, id: string): Promise<PageContent> =>
  statusPages.content((await statusPages.get(id)).id);

/** A template of this page and no other. */
async function templateOf(
  { store }: PageRooms,
  { page }: PageContent,
  part: string,
): Promise<TemplateRow> {
  const row = await store.pages.templates.get(Number(part));
  if (row?.page !== page.id) throw noTemplate(part);
  return row;
}

const useIn = (said: URLSearchParams): TemplateUse =>
  said.get(useField) === "maintenance" ? "maintenance" : "report";
const useField = "for";

/** What a new one says at first: nothing, or what was said before on the same page. */
async function begunWith(
  { store }: PageRooms,
  content: PageContent,
  query: URLSearchParams,
): Promise<{ readonly use: TemplateUse; readonly typed: URLSearchParams }> {
  const { id: page } = content.page;
  const report = await store.pages.reports.get(wholeNumber(query.get("report")) ?? 0);
  const first = report?.page === page ? report.updates.at(-1) : undefined;
  if (report !== null && first !== undefined)
    return { use: "report", typed: typedAtFirst(first, report) };
  const said = await store.alerts.maintenanceUpdates.get(wholeNumber(query.get("update")) ?? 0);
  const work = said === null ? null : await store.alerts.maintenances.get(said.maintenance);
  if (said !== null && work?.page === String(page))
    return { use: "maintenance", typed: new URLSearchParams({ message: said.message }) };
  return { use: useIn(query), typed: typedDraft(emptyDraft) };
}

/** The next report begins as this one did: it has all its components, also those that a later update named. */
function typedAtFirst(first: ReportUpdate, report: ReportRow): URLSearchParams {
  const typed = typedUpdate(first, report);
  typed.set("name", report.title);
  typed.delete("components");
  for (const id of report.components) typed.append("components", String(id));
  return typed;
}

interface ShownTemplate {
  readonly content: PageContent;
  readonly use: TemplateUse;
  /** Null: it is a new one. */
  readonly row: TemplateRow | null;
}

const forWords: { readonly [U in TemplateUse]: string } = {
  report: "reports",
  maintenance: "updates of maintenance",
};

const frame = { section: "status pages", document: null } as const;

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  { content, use, row }: ShownTemplate,
  state: FormState,
  status = 200,
): Promise<PageAnswer> {
  const { page, components } = content;
  const path = `/status-pages/${page.id}/templates`;
  const title =
    row === null ? `New template for ${forWords[use]}` : `Edit the template ${row.name}`;
  const back = listPath(content);
  const form = formView({
    action: row === null ? `${path}/new` : `${path}/${row.id}/edit`,
    reader,
    fields: fieldsOf(use, content, state.typed),
    groups: templateGroups,
    state,
    choices: { components: components.map(({ id, name }): Choice => [String(id), name]) },
    hidden: row === null ? { [useField]: use } : {},
    lead: null,
    isLocked: false,
    isNew: row === null,
    submit: "Save the template",
    cancel: back,
    extra: null,
    actions: null,
  });
  const shownForm = html`<p class="back"><a href="${back}">${page.definition.title}</a></p>
    <h1 class="page">${title}</h1>
    ${form}`;
  const at = rooms.clock.wall();
  const titled = { ...frame, title: `${title} · Picket`, at, content: shownForm };
  return framed({ reader }, titled, status);
}
