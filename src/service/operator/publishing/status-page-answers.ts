import { basisIn, basisNow } from "#service/operator/changes/basis-field";
import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { Refusal } from "#service/edge/call-refusal";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
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
  removeGroup,
  removePart,
} from "#service/operator/publishing/component-forms";
import { reportSection } from "#service/operator/publishing/report-answers";
import { moveComponent } from "#service/operator/publishing/component-order";
import { newReportForms, newReportPages } from "#service/operator/publishing/new-report";
import {
  definitionFrom,
  settingsIn,
  settingsOf,
} from "#service/operator/publishing/status-page-fields";
import {
  statusPageListView,
  statusPageView,
  type StatusPageList,
  type StatusPageView,
} from "#service/operator/publishing/status-page-views";
import { offsetIn } from "#service/operator/whole-number";
import { pageDefaults } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";

/** `/status-pages`: all of them. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages(?<json>\.json)?$/,
  answer: async (context, { query, reader, isDocument }) => {
    const offset = offsetIn(query);
    if (!isDocument) return shownList(context, reader, { offset, notice: noticeOf(query) });
    const { rooms } = context;
    const rows = await rooms.statusPages.list(limits.statusPagesListed, offset);
    return documentAnswer({
      at: isoTime(rooms.clock.wall()),
      total: await rooms.statusPages.count(),
      status_pages: rows.map(pageSection),
    });
  },
};

/** `/status-pages/ID`: one of them. */
const onePage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const row = await context.rooms.statusPages.get(id);
    const offset = offsetIn(query);
    if (!isDocument) return shown(context, reader, row, { offset, notice: noticeOf(query) });
    return documentOf(context, row, offset);
  },
};

/** A new page is a draft, so that no one reads it before it shows something. */
const makeForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages$/,
  act: async (context, { form, reader }) => {
    const fields = { title: form.get("title")?.trim() ?? "", slug: form.get("slug")?.trim() ?? "" };
    try {
      const { statusPages } = context.rooms;
      const slug = fields.slug.toLowerCase();
      const draft = { ...pageDefaults, title: fields.title, slug, published: false };
      const row = await statusPages.create(draft, "");
      return seeOther(withNotice(`/status-pages/${row.id}`, "made"));
    } catch (error) {
      return shownList(
        context,
        reader,
        { fields, notice: faultNotice(error, "This was not made") },
        400,
      );
    }
  },
};

const settingsForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})$/,
  act: async (context, { id, form, reader }) => {
    const { statusPages } = context.rooms;
    const row = await statusPages.get(id);
    const settings = settingsIn(form);
    const password = form.get("password") ?? "";
    try {
      refuseOfFile(row);
      const definition = definitionFrom(settings, row.definition);
      await statusPages.update(row, definition, password === "" ? null : password);
      return seeOther(withNotice(`/status-pages/${row.id}`, "saved"));
    } catch (error) {
      const notice = faultNotice(error, "This was not saved");
      const basis = basisIn(form);
      const said = { settings, open: "settings", notice } as const;
      return shown(context, reader, row, basis === null ? said : { ...said, basis }, 400);
    }
  },
};

/** A form about the page as it is, which leads back to it; what is wrong is said there. */
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
      refuseOfFile(row);
      await act(context.rooms, row, request);
      return seeOther(withNotice(`/status-pages/${row.id}`, notice));
    } catch (error) {
      const fault = faultNotice(error, "This was not done");
      return shown(context, request.reader, row, { notice: fault }, 400);
    }
  },
});

const publishing =
  (published: boolean) =>
  async ({ statusPages }: PageRooms, row: StatusPageRow): Promise<void> => {
    await statusPages.update(row, { ...row.definition, published }, null);
  };

export const statusPagePages: readonly OperatorPage[] = [listPage, onePage, ...newReportPages];
export const statusPageForms: readonly OperatorForm[] = [
  ...newReportForms,
  makeForm,
  settingsForm,
  deedForm("publish", "published", publishing(true)),
  deedForm("withdraw", "withdrawn", publishing(false)),
  deedForm("monitors", "saved", async (rooms, { id }, request) => addMonitors(rooms, id, request)),
  deedForm("parts", "saved", async (rooms, { id }, request) => addPart(rooms, id, request)),
  deedForm("groups", "saved", async (rooms, { id }, request) => addNamedGroup(rooms, id, request)),
  deedForm("groups/(?<part>\\d{1,15})/remove", "saved", async (rooms, { id }, request) =>
    removeGroup(rooms, id, request),
  ),
  deedForm("components/(?<part>\\d{1,15})", "saved", async (rooms, { id }, request) =>
    changePart(rooms, id, request),
  ),
  deedForm("components/(?<part>\\d{1,15})/move", "saved", async (rooms, { id }, request) =>
    moveComponent(rooms, id, request),
  ),
  deedForm("components/(?<part>\\d{1,15})/remove", "saved", async (rooms, { id }, request) =>
    removePart(rooms, id, request),
  ),
];

const notices = {
  made: "It is a draft: add what it shows, then publish it.",
  saved: "Saved. Readers see it within ten seconds.",
  published: "Published: whoever may read it sees it within ten seconds.",
  withdrawn: "Withdrawn: no one can read it any more.",
} as const;

const noticeOf = (query: URLSearchParams): FormNotice | null =>
  doneNotice(noticeIn(query, notices));

function refuseOfFile({ owner }: StatusPageRow): void {
  if (owner !== "")
    throw new Refusal(
      "failed_precondition",
      `it is managed by the file of ${owner}: edit it there`,
    );
}

async function shownList(
  { rooms }: PageContext,
  reader: KnownReader,
  {
    offset = 0,
    fields = { title: "", slug: "" },
    notice = null,
  }: Partial<Pick<StatusPageList, "offset" | "fields" | "notice">>,
  status = 200,
): Promise<PageAnswer> {
  const rows = await rooms.statusPages.list(limits.statusPagesListed, offset);
  const total = await rooms.statusPages.count();
  return framed(
    { reader },
    {
      title: "Status pages · Picket",
      section: "status pages",
      document: `/status-pages.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at: rooms.clock.wall(),
      content: statusPageListView({ rows, total, offset, reader, fields, notice }),
    },
    status,
  );
}

const reportsOf = ({ rooms }: PageContext, page: number, offset: number) =>
  rooms.store.pages.reports.list({ page, statuses: [], limit: limits.reportsListed, offset });

async function shown(
  context: PageContext,
  reader: KnownReader,
  row: StatusPageRow,
  said: Partial<Pick<StatusPageView, "offset" | "settings" | "open" | "notice" | "basis">>,
  status = 200,
): Promise<PageAnswer> {
  const { offset = 0, settings, open = null, notice = null } = said;
  const basis = said.basis ?? (await basisNow(context.rooms, { kind: "page", id: String(row.id) }));
  const [content, { reports, total }, picture] = await Promise.all([
    context.rooms.statusPages.content(row.id),
    reportsOf(context, row.id, offset),
    context.pictures.now(),
  ]);
  return framed(
    { reader },
    {
      title: `${row.definition.title} · Status pages · Picket`,
      section: "status pages",
      document: `/status-pages/${row.id}.json`,
      at: picture.at,
      content: statusPageView({
        content,
        basis,
        reports,
        total,
        offset,
        picture,
        reader,
        settings: settings ?? settingsOf(row.definition),
        open,
        notice,
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

/** A status page for programs. Names are only ever added. */
const pageSection = ({ id, owner, definition }: StatusPageRow): object => ({
  id: String(id),
  title: definition.title,
  slug: definition.slug,
  description: definition.description,
  published: definition.published,
  access: definition.access,
  owner,
});
