import type { FormFields } from "#check/form-field";
import { basisIn, basisNow } from "#service/operator/changes/basis-field";
import { Refusal } from "#service/edge/call-refusal";
import { htmlAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { submitted } from "#service/operator/forms/form-submission";
import { withUndo } from "#service/operator/deleting/undo-form";
import { refuseManaged } from "#service/operator/managed-note";
import { asksForPreviewAlone, previewButton } from "#service/operator/message-preview";
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
  changeNamedGroup,
  changePart,
  partFields,
  removeGroup,
  removePart,
  type TypedPart,
} from "#service/operator/publishing/component-forms";
import { movedIn, moveComponent, moveGroup } from "#service/operator/publishing/component-order";
import { newReportForms, newReportPages } from "#service/operator/publishing/new-report";
import {
  definitionFrom,
  lookFormFields,
  passwordIn,
  settingsFormFields,
  withOtherForms,
} from "#service/operator/publishing/status-page-fields";
import { lookPart } from "#service/operator/publishing/look-draft";
import { documentOf, reportsOf } from "#service/operator/publishing/status-page-document";
import { framingHeaders, previewPage } from "#service/operator/publishing/page-preview";
import { groupKey } from "#service/operator/publishing/page-arrangement";
import { tabPath, tabWords } from "#service/operator/publishing/page-tabs";
import {
  type SettledTab,
  statusPageView,
  type StatusPageView,
} from "#service/operator/publishing/status-page-views";
import { offsetIn } from "#service/operator/whole-number";
import type { PageContent, StatusPageRow } from "#service/store/page-store";
import type { PartKind } from "#service/store/trash/trash-store";

/** `/status-pages/ID`: what it shows; and the same for programs, with its reports. */
const componentsPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const row = await context.rooms.statusPages.get(id);
    if (isDocument) return documentOf(context, row, offsetIn(query));
    const notice = noticeOf(query, row);
    return shown(context, reader, row, {
      notice,
      edited: query.get("edit"),
      moved: movedIn(query),
    });
  },
};

/** `/status-pages/ID/look`, and each other tab by its name. */
const tabPage = (tab: SettledTab): OperatorPage => ({
  role: "reader",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${tab}$`),
  answer: async (context, { id, query, reader }) => {
    const row = await context.rooms.statusPages.get(id);
    return shown(context, reader, row, {
      tab,
      offset: offsetIn(query),
      notice: noticeOf(query, row),
    });
  },
});

/** A form of the page with fields: what is wrong is said at them. */
const fieldForm = (
  path: string,
  tab: SettledTab,
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
        const said = { tab, refused: { action, state } };
        return shown(context, reader, row, basis === null ? said : { ...said, basis }, status);
      },
      act: async (typed) => {
        await act(context, { content, typed, part });
        return seeOther(withNotice(tabPath(row.id, tab), "saved"));
      },
    });
  },
});

const partPattern = "(?<part>\\d{1,15})";

/** Changes what one of the forms of the settings says, and keeps the rest. */
const changing =
  (form: Parameters<typeof withOtherForms>[0]) =>
  async ({ rooms }: PageContext, { content, typed }: TypedPart): Promise<void> => {
    const { page } = content;
    const definition = definitionFrom(withOtherForms(form, typed, page), page.definition);
    const password = form === "access" ? passwordIn(typed) : null;
    await rooms.statusPages.update(page, definition, password);
  };

/** The look as it is typed: a script asks for the contrast alone. */
const previewedLook = ({ act, ...form }: OperatorForm): OperatorForm => ({
  ...form,
  act: async (context, request) => {
    const { form: typed, id, reader } = request;
    if (!typed.has(previewButton)) return act(context, request);
    const row = await context.rooms.statusPages.get(id);
    if (asksForPreviewAlone(typed)) return htmlAnswer(lookPart(row, typed).text);
    const refused = { action: `/status-pages/${id}/look`, state: { typed, mistakes: [] } };
    const basis = basisIn(typed);
    return shown(context, reader, row, {
      tab: "look",
      refused,
      ...(basis === null ? {} : { basis }),
    });
  },
});

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

/** Removes what stands on a page, which can be undone. */
const removalForm = (
  kind: PartKind,
  parts: "components" | "groups",
  act: (rooms: PageRooms, page: number, request: FormRequest) => Promise<void>,
): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${parts}/${partPattern}/remove$`),
  act: async (context, request) => {
    const row = await context.rooms.statusPages.get(request.id);
    try {
      refuseManaged(row);
      await act(context.rooms, row.id, request);
      return seeOther(withUndo(`/status-pages/${row.id}`, kind, [request.part]));
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
  shown(
    context,
    reader,
    row,
    { notice: faultNotice(error, "This was not done") },
    error instanceof Refusal && error.code === "aborted" ? 409 : 400,
  );

/** What was moved has the focus again, so no notice draws it to the top. */
const moveForm = (
  parts: "components" | "groups",
  act: (rooms: PageRooms, page: number, request: FormRequest) => Promise<void>,
): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${parts}/${partPattern}/move$`),
  act: async (context, request) => {
    const row = await context.rooms.statusPages.get(request.id);
    try {
      refuseManaged(row);
      await act(context.rooms, row.id, request);
      const key = parts === "groups" ? groupKey(Number(request.part)) : request.part;
      const moved = new URLSearchParams({ moved: `${key}.${request.form.get("to") ?? ""}` });
      const place = parts === "groups" ? key : `component-${key}`;
      const query = movedIn(moved) === null ? `#${place}` : `?${moved.toString()}`;
      return seeOther(`/status-pages/${row.id}${query}`);
    } catch (error) {
      return refusedDeed(context, request.reader, row, error);
    }
  },
});

const publishing =
  (published: boolean) =>
  async ({ statusPages }: PageRooms, row: StatusPageRow): Promise<void> => {
    await statusPages.update(row, { ...row.definition, published }, null);
  };

export const statusPagePages: readonly OperatorPage[] = [
  componentsPage,
  ...(["reports", "look", "access", "settings"] as const).map(tabPage),
  previewPage,
  ...newReportPages,
];
export const statusPageForms: readonly OperatorForm[] = [
  ...newReportForms,
  fieldForm("", "settings", () => settingsFormFields.page, changing("page")),
  fieldForm("/access", "access", () => settingsFormFields.access, changing("access")),
  previewedLook(
    fieldForm("/look", "look", ({ page }) => lookFormFields(page.definition), changing("look")),
  ),
  fieldForm("/monitors", "components", partFields.monitors, addMonitors),
  fieldForm("/parts", "components", partFields.part, addPart),
  fieldForm("/groups", "components", partFields.group, addNamedGroup),
  fieldForm(`/components/${partPattern}`, "components", partFields.component, changePart),
  deedForm("publish", "published", publishing(true)),
  deedForm("withdraw", "withdrawn", publishing(false)),
  removalForm("group", "groups", removeGroup),
  fieldForm(`/groups/${partPattern}`, "components", partFields.changedGroup, changeNamedGroup),
  moveForm("components", moveComponent),
  moveForm("groups", moveGroup),
  removalForm("component", "components", removePart),
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

type SaidOnPage = Pick<
  StatusPageView,
  "tab" | "offset" | "refused" | "notice" | "edited" | "moved"
>;
const nothingSaid: SaidOnPage = {
  tab: "components",
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
  const [content, { reports, total }, picture] = await Promise.all([
    context.rooms.statusPages.content(row.id),
    reportsOf(context, row.id, said.offset ?? 0),
    context.pictures.now(),
  ]);
  const page = framed(
    { reader },
    {
      title: `${tabWords[said.tab ?? nothingSaid.tab]} · ${row.definition.title} · Picket`,
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
        picture,
        reader,
      }),
    },
    status,
  );
  return { ...page, headers: framingHeaders };
}
