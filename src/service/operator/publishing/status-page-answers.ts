import { chosenAccess, goodPasswordIn } from "#service/operator/publishing/access-fields";
import type { FormFields } from "#check/form-field";
import { basisIn } from "#service/operator/changes/basis-field";
import { seeOther } from "#service/edge/page-answer";
import { submitted } from "#service/operator/forms/form-submission";
import { withUndo } from "#service/operator/deleting/undo-form";
import { refuseManaged } from "#service/operator/managed-note";
import {
  type FormRequest,
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
import {
  movedIn,
  movedPath,
  moveComponent,
  moveGroup,
  openIn,
} from "#service/operator/publishing/component-order";
import { additionIn } from "#service/operator/publishing/component-additions";
import { noticeOf, refusedDeed, shown } from "#service/operator/publishing/shown-status-page";
import { newReportForms, newReportPages } from "#service/operator/publishing/new-report";
import {
  definitionFrom,
  settingsFormFields,
  withOtherForms,
} from "#service/operator/publishing/status-page-fields";
import { lookAct } from "#service/operator/publishing/look-answers";
import { domainNote, domainNotice } from "#service/operator/publishing/domain-note";
import { documentOf } from "#service/operator/publishing/status-page-document";
import { previewPage } from "#service/operator/publishing/page-preview";
import { groupKey } from "#service/operator/publishing/page-arrangement";
import { type stateNotices, tabIn, tabPath } from "#service/operator/publishing/page-tabs";
import type { SettledTab } from "#service/operator/publishing/status-page-views";
import {
  templateForms,
  templatePages,
} from "#service/operator/publishing/templates/template-answers";
import { withdrawalPage } from "#service/operator/publishing/withdrawal-page";
import { offsetIn } from "#service/operator/whole-number";
import type { PageContent } from "#service/store/page-store";
import type { PartKind } from "#service/store/trash/trash-store";

/** `/status-pages/ID`: what it shows; and the same for programs, with its reports. */
const componentsPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const row = await context.rooms.statusPages.get(id);
    if (isDocument) return documentOf(context, row, offsetIn(query));
    const notice = noticeOf(query, row, "components");
    return shown(context, reader, row, {
      notice,
      edited: query.get("edit"),
      added: additionIn(query),
      moved: movedIn(query),
    });
  },
};

/** `/status-pages/ID/look`, and each other tab by its name. */
const tabPage = (tab: SettledTab): OperatorPage => ({
  role: "reader",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${tab}$`),
  answer: async (context, { id, query, reader, address }) => {
    const row = await context.rooms.statusPages.get(id);
    const said = noticeOf(query, row, tab);
    const note = tab === "settings" ? await domainNote(context.rooms, row) : null;
    const isSaid = note !== null && query.get("notice") === "saved";
    return shown(context, reader, row, {
      tab,
      address,
      choices: query,
      offset: offsetIn(query),
      notice: isSaid ? domainNotice(note) : said,
      domainNote: isSaid ? null : note,
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
  act: async (context, { id, part, form, reader, address }) => {
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
        const said = { tab, address, refused: { action, state } };
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
    const own = form === "access" ? chosenAccess(typed, page) : typed;
    const definition = definitionFrom(withOtherForms(form, own, page), page.definition);
    const password = form === "access" ? goodPasswordIn(own) : null;
    await rooms.statusPages.update(page, definition, password);
  };

/** Publishes a page or takes it back, and leads to the tab where that was done. */
const publishForm = (
  path: "publish" | "withdraw",
  notice: keyof typeof stateNotices,
  published: boolean,
): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/status-pages/(?<id>\\d{1,15})/${path}$`),
  act: async (context, { id, form, reader }) => {
    const { statusPages } = context.rooms;
    const row = await statusPages.get(id);
    try {
      refuseManaged(row);
      await statusPages.update(row, { ...row.definition, published }, null);
      return seeOther(withNotice(tabPath(row.id, tabIn(form)), notice));
    } catch (error) {
      return refusedDeed(context, reader, row, error);
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
      return seeOther(movedPath(row.id, key, request.form));
    } catch (error) {
      return refusedDeed(context, request.reader, row, error, openIn(request.form));
    }
  },
});

export const statusPagePages: readonly OperatorPage[] = [
  componentsPage,
  ...(["reports", "look", "access", "share", "settings"] as const).map(tabPage),
  previewPage,
  withdrawalPage,
  ...newReportPages,
  ...templatePages,
];
export const statusPageForms: readonly OperatorForm[] = [
  ...newReportForms,
  ...templateForms,
  fieldForm("", "settings", () => settingsFormFields.page, changing("page")),
  fieldForm("/access", "access", () => settingsFormFields.access, changing("access")),
  lookAct,
  fieldForm("/monitors", "components", partFields.monitors, addMonitors),
  fieldForm("/parts", "components", partFields.part, addPart),
  fieldForm("/groups", "components", partFields.group, addNamedGroup),
  fieldForm(`/components/${partPattern}`, "components", partFields.component, changePart),
  publishForm("publish", "published", true),
  publishForm("withdraw", "withdrawn", false),
  removalForm("group", "groups", removeGroup),
  fieldForm(`/groups/${partPattern}`, "components", partFields.changedGroup, changeNamedGroup),
  moveForm("components", moveComponent),
  moveForm("groups", moveGroup),
  removalForm("component", "components", removePart),
];
