import { violation } from "#service/edge/call-refusal";
import { htmlAnswer, seeOther } from "#service/edge/page-answer";
import { basisIn } from "#service/operator/changes/basis-field";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { refuseManaged } from "#service/operator/managed-note";
import { asksForPreviewAlone, previewButton } from "#service/operator/message-preview";
import {
  type FormRequest,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import {
  iconAddress,
  iconFileField,
  removeIconField,
} from "#service/operator/publishing/icon-fields";
import { lookPart } from "#service/operator/publishing/look-draft";
import { tabPath } from "#service/operator/publishing/page-tabs";
import { refusedDeed, shown } from "#service/operator/publishing/shown-status-page";
import {
  definitionFrom,
  lookFormFields,
  withOtherForms,
} from "#service/operator/publishing/status-page-fields";
import { isKeptIcon, keptIcon } from "#service/status-page/icon-name";
import { iconFileIn } from "#service/status-site/icons/icon-file";
import type { StatusPageRow } from "#service/store/page-store";

/** Changes how a page looks, and its icon. A script asks for the contrast of what is typed alone. */
export const lookAct: OperatorForm = {
  role: "editor",
  takesFiles: true,
  path: /^\/status-pages\/(?<id>\d{1,15})\/look$/,
  act: async (context, request) => {
    const { form, id, reader } = request;
    const row = await context.rooms.statusPages.get(id);
    if (asksForPreviewAlone(form)) return htmlAnswer(lookPart(row, form).text);
    const again = (state: FormState, status: number) => {
      const basis = basisIn(form);
      const refused = { action: `/status-pages/${id}/look`, state: withFileAsked(state, request) };
      const said = { tab: "look", refused } as const;
      return shown(context, reader, row, basis === null ? said : { ...said, basis }, status);
    };
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    try {
      refuseManaged(row);
    } catch (error) {
      return refusedDeed(context, reader, row, error);
    }
    return submitted(form, {
      fields: lookFormFields(row.definition),
      again,
      act: async (typed) => {
        await save(context, row, typed, request);
        return seeOther(withNotice(tabPath(row.id, "look"), "saved"));
      },
    });
  },
};

const chosenAgain = {
  field: iconFileField,
  message: "must be chosen again: the file was not saved",
};

/** Whether a file was chosen and came no further than an earlier page. */
const isFileLost = (typed: URLSearchParams, { files }: Pick<FormRequest, "files">): boolean =>
  !files.has(iconFileField) && (typed.get(iconFileField) ?? "") !== "";

/** A form that comes back has all that was typed, but no file: that is asked for again. */
function withFileAsked({ typed, mistakes, ...rest }: FormState, request: FormRequest): FormState {
  const hadFile = request.files.has(iconFileField) || isFileLost(typed, request);
  const isSaid = mistakes.some(({ field }) => field === iconFileField);
  const after = new URLSearchParams(typed);
  after.delete(iconFileField);
  return {
    ...rest,
    typed: after,
    mistakes: hadFile && !isSaid ? [...mistakes, chosenAgain] : mistakes,
  };
}

async function save(
  { rooms: { statusPages } }: PageContext,
  row: StatusPageRow,
  typed: URLSearchParams,
  request: FormRequest,
): Promise<void> {
  const own = new URLSearchParams(typed);
  own.set("icon", iconIn(typed, row));
  const definition = definitionFrom(withOtherForms("look", own, row), row.definition);
  if (isFileLost(typed, request)) throw violation(chosenAgain);
  const file = request.files.get(iconFileField);
  if (file === undefined) return void (await statusPages.update(row, definition, null));
  const iconFile = iconFileIn(file, iconFileField);
  await statusPages.update(row, { ...definition, icon: keptIcon(iconFile.name) }, null, iconFile);
}

/** The icon that a form says without a file. A file stays until another one, or a URL, is in its place. */
function iconIn(typed: URLSearchParams, { definition }: StatusPageRow): string {
  const url = (typed.get("icon") ?? iconAddress(definition)).trim();
  const isNew = url !== "" && url !== iconAddress(definition);
  if (typed.has(removeIconField) && !isNew) return "";
  return url === "" && isKeptIcon(definition.icon) ? definition.icon : url;
}
