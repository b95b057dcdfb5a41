import type { FormFields } from "#check/form-field";
import { basisIn, basisNow } from "#service/operator/changes/basis-field";
import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { submitted } from "#service/operator/forms/form-submission";
import { refuseManaged } from "#service/operator/managed-note";
import { doneNotice, faultNotice, type FormNotice } from "#service/operator/form-notice";
import {
  framed,
  type FormRequest,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  addMonitors,
  addNamedGroup,
  addPart,
  changePart,
  partFields,
  removeGroup,
  removePart,
  type TypedPart,
} from "#service/operator/publishing/component-forms";
import { pageSection } from "#service/operator/publishing/status-page-list";
import { reportSection } from "#service/operator/publishing/report-answers";
import { movedIn, moveComponent } from "#service/operator/publishing/component-order";
import { newReportForms, newReportPages } from "#service/operator/publishing/new-report";
import {
  definitionFrom,
  passwordIn,
  settingsFormFields,
  withOtherForm,
} from "#service/operator/publishing/status-page-fields";
import { previewPage } from "#service/operator/publishing/page-preview";
import {
  statusPageView,
  type StatusPageView,
} from "#service/operator/publishing/status-page-views";
import { offsetIn } from "#service/operator/whole-number";
import type { PageContent, StatusPageRow } from "#service/store/page-store";

/** `/status-pages/ID`: one of them. */
const onePage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const row = await context.rooms.statusPages.get(id);
    const offset = offsetIn(query);
    if (!isDocument)
      return shown(context, reader, row, {
        offset,
        notice: noticeOf(query, row),
        edited: query.get("edit"),
        moved: movedIn(query),
      });
    return documentOf(context, row, offset);
  },
};

/** A form of the page with fields: what is wrong is said at them. */
const fieldForm = (
  path: string,
  fieldsOf: (content: PageContent) => FormFields,
  act: (context: PageContext, what: TypedPart) => Promise<void>,
): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})${path}$`),
  act: async (context, { id, part, form, reader }) => {
    const { statusPages } = context.rooms;
    const row = await statusPages.get(id);
    try {
      refuseManaged(row);
    } catch (error) {
      return refusedDeed(context, reader, row, error);
    }
    const content = await statusPages.content(row.id);
    const action = `/status-pages/${id}${path.replace(partPattern, part)}`;
    return submitted(form, {
      fields: fieldsOf(content),
      again: (state, status) => {
        const basis = basisIn(form);
        const said = { refused: { action, state } };
        return shown(context, reader, row, basis === null ? said : { ...said, basis }, status);
      },
      act: async (typed) => {
        await act(context, { content, typed, part });
        return seeOther(withNotice(`/status-pages/${row.id}`, "saved"));
      },
    });
  },
});

const partPattern = "(?<part>\\d{1,15})";

async function changePage({ rooms }: PageContext, { content, typed }: TypedPart): Promise<void> {
  const { page } = content;
  const definition = definitionFrom(withOtherForm("page", typed, page), page.definition);
  await rooms.statusPages.update(page, definition, passwordIn(typed));
}

async function changeLook({ rooms }: PageContext, { content, typed }: TypedPart): Promise<void> {
  const { page } = content;
  const definition = definitionFrom(withOtherForm("look", typed, page), page.definition);
  await rooms.statusPages.update(page, definition, null);
}

/** A button about the page as it is, which leads back to it; a refusal is said above. */
const deedForm = (
  path: string,
  notice: keyof typeof notices,
  act: (rooms: PageRooms, row: StatusPageRow, request: FormRequest) => Promise<void>,
): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${path}$`),
  act: async (context, request) => {
    const row = await context.rooms.statusPages.get(request.id);
    try {
      refuseManaged(row);
      await act(context.rooms, row, request);
      return seeOther(withNotice(`/status-pages/${row.id}`, notice));
    } catch (error) {
      return refusedDeed(context, request.reader, row, error);
    }
  },
});

const refusedDeed = (
  context: PageContext,
  reader: KnownReader,
  row: StatusPageRow,
  error: unknown,
): Promise<PageAnswer> =>
  shown(context, reader, row, { notice: faultNotice(error, "This was not done") }, 400);

/** The component that was moved has the focus again, so no notice draws it to the top. */
const moveForm: OperatorForm = {
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/components/${partPattern}/move$`),
  act: async (context, request) => {
    const row = await context.rooms.statusPages.get(request.id);
    try {
      refuseManaged(row);
      await moveComponent(context.rooms, row.id, request);
      const moved = `${request.part}.${request.form.get("to") ?? ""}`;
      return seeOther(`/status-pages/${row.id}?moved=${moved}`);
    } catch (error) {
      return refusedDeed(context, request.reader, row, error);
    }
  },
};

const publishing =
  (published: boolean) =>
  async ({ statusPages }: PageRooms, row: StatusPageRow): Promise<void> => {
    await statusPages.update(row, { ...row.definition, published }, null);
  };

export const statusPagePages: readonly OperatorPage[] = [onePage, previewPage, ...newReportPages];
export const statusPageForms: readonly OperatorForm[] = [
  ...newReportForms,
  fieldForm("", () => settingsFormFields.page, changePage),
  fieldForm("/look", () => settingsFormFields.look, changeLook),
  fieldForm("/monitors", partFields.monitors, addMonitors),
  fieldForm("/parts", partFields.part, addPart),
  fieldForm("/groups", partFields.group, addNamedGroup),
  fieldForm(`/components/${partPattern}`, partFields.component, changePart),
  deedForm("publish", "published", publishing(true)),
  deedForm("withdraw", "withdrawn", publishing(false)),
  deedForm("groups/(?<part>\\d{1,15})/remove", "saved", async (rooms, { id }, request) =>
    removeGroup(rooms, id, request),
  ),
  moveForm,
  deedForm("components/(?<part>\\d{1,15})/remove", "saved", async (rooms, { id }, request) =>
    removePart(rooms, id, request),
  ),
];

const notices = {
  made: "It is a draft: add what it shows, then publish it.",
  saved: "Saved. Readers see it within ten seconds.",
  published: "Published: whoever may read it sees it within ten seconds.",
  withdrawn: "Unpublished: no one can read it any more.",
} as const;

const noticeOf = (query: URLSearchParams, { definition }: StatusPageRow): FormNotice | null =>
  doneNotice(
    noticeIn(query, definition.published ? notices : { ...notices, saved: "Saved in the draft." }),
  );

const reportsOf = ({ rooms }: PageContext, page: number, offset: number) =>
  rooms.store.pages.reports.list({ page, statuses: [], limit: limits.reportsListed, offset });

type SaidOnPage = Pick<StatusPageView, "offset" | "refused" | "notice" | "edited" | "moved">;
const nothingSaid: SaidOnPage = {
  offset: 0,
  refused: null,
  notice: null,
  edited: null,
  moved: null,
};

async function shown(
  context: PageContext,
  reader: KnownReader,
  row: StatusPageRow,
  said: Partial<SaidOnPage & Pick<StatusPageView, "basis">>,
  status = 200,
): Promise<PageAnswer> {
  const basis = said.basis ?? (await basisNow(context.rooms, { kind: "page", id: String(row.id) }));
  const asked = { page: row.id, limit: 1, offset: 0, withUnsubscribed: false };
  const [content, { reports, total }, picture, subscribers] = await Promise.all([
    context.rooms.statusPages.content(row.id),
    reportsOf(context, row.id, said.offset ?? 0),
    context.pictures.now(),
    context.rooms.store.readers.subscribers.list(asked),
  ]);
  return framed(
    { reader },
    {
      title: `${row.definition.title} · Status pages · Picket`,
      section: "status pages",
      document: `/status-pages/${row.id}.json`,
      at: picture.at,
      content: statusPageView({
        ...nothingSaid,
        ...said,
        content,
        basis,
        reports,
        total,
        subscribers: subscribers.total,
        picture,
        reader,
      }),
    },
    status,
  );
}

async function documentOf(
  context: PageContext,
  row: StatusPageRow,
  offset: number,
): Promise<PageAnswer> {
  const { components, groups } = await context.rooms.statusPages.content(row.id);
  const { reports, total } = await reportsOf(context, row.id, offset);
  return documentAnswer({
    at: isoTime(context.rooms.clock.wall()),
    ...pageSection(row),
    components: components.map((one) => ({
      id: String(one.id),
      name: one.name,
      description: one.description,
      monitor: one.monitor === null ? null : String(one.monitor),
      group: one.group === null ? null : String(one.group),
    })),
    groups: groups.map(({ id, name }) => ({ id: String(id), name })),
    total_reports: total,
    reports: reports.map(reportSection),
  });
}
