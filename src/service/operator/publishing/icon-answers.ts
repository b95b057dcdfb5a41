import { violation } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { basisIn, basisNow } from "#service/operator/changes/basis-field";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { refuseManaged } from "#service/operator/managed-note";
import {
  type FormRequest,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import {
  freshIcon,
  iconAction,
  iconFields,
  iconFileField,
  removeIconButton,
} from "#service/operator/publishing/icon-form";
import { tabPath } from "#service/operator/publishing/page-tabs";
import { refusedDeed, shown } from "#service/operator/publishing/shown-status-page";
import { iconFileIn } from "#service/status-site/icons/icon-file";
import { isKeptIcon, keptIcon } from "#service/status-page/icon-name";
import type { StatusPageRow } from "#service/store/page-store";
import { StoreFault } from "#service/store/store-fault";

/** Puts a file or a URL in the place of a page's icon, or takes it away. */
export const iconAct: OperatorForm = {
  role: "editor",
  takesFiles: true,
  path: /^\/status-pages\/(?<id>\d{1,15})\/icon$/,
  act: async (context, request) => {
    const { form, files, reader } = request;
    const row = await context.rooms.statusPages.get(request.id);
    try {
      refuseManaged(row);
    } catch (error) {
      return refusedDeed(context, reader, row, error);
    }
    let isOvertaken = false;
    return submitted(form, {
      fields: iconFields,
      again: async (state, status) => {
        if (isOvertaken) return overtakenIcon(context, reader, request.id, state);
        const basis = basisIn(form);
        const said = { tab: "look", refused: { action: iconAction(row), state } } as const;
        return shown(context, reader, row, basis === null ? said : { ...said, basis }, status);
      },
      act: async (typed) => {
        try {
          await save(context, row, typed, request);
        } catch (error) {
          isOvertaken = files.size > 0 && error instanceof StoreFault && error.code === "overtaken";
          throw isOvertaken ? chooseAgain : error;
        }
        return seeOther(withNotice(tabPath(row.id, "look"), "saved"));
      },
    });
  },
};

const chooseAgain = violation({
  field: iconFileField,
  message: "was not saved, because someone changed the page meanwhile: choose the file again",
});

/** The form as of what is saved now: no page can send a file again that came with an earlier form. */
async function overtakenIcon(
  context: PageContext,
  reader: FormRequest["reader"],
  id: string,
  { mistakes }: FormState,
): Promise<PageAnswer> {
  const basis = await basisNow(context.rooms, { kind: "page", id });
  const row = await context.rooms.statusPages.get(id);
  const state = { typed: freshIcon(row), mistakes };
  return shown(
    context,
    reader,
    row,
    { basis, tab: "look", refused: { action: iconAction(row), state } },
    409,
  );
}

async function save(
  { rooms: { statusPages } }: PageContext,
  row: StatusPageRow,
  typed: URLSearchParams,
  { files }: Pick<FormRequest, "files">,
): Promise<void> {
  const { definition } = row;
  const file = files.get(iconFileField);
  if (typed.has(removeIconButton))
    return void (await statusPages.update(row, { ...definition, icon: "" }, null));
  if (file !== undefined) {
    const iconFile = iconFileIn(file, iconFileField);
    const icon = keptIcon(iconFile.name);
    return void (await statusPages.update(row, { ...definition, icon }, null, iconFile));
  }
  const url = (typed.get("icon") ?? "").trim();
  // A file stays until another one, or a URL, is in its place.
  const icon = url === "" && isKeptIcon(definition.icon) ? definition.icon : url;
  if (icon === "" && definition.icon === "")
    throw violation({
      field: iconFileField,
      message: "is missing: choose a file, or give its URL",
    });
  await statusPages.update(row, { ...definition, icon }, null);
}
