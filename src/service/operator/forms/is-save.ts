import { afterTurn, editMark } from "#service/operator/forms/form-turns";
import { rowActIn } from "#service/operator/forms/form-rows";
import { testButton } from "#service/operator/channels/draft-test";
import { previewButton } from "#service/operator/message-preview";
import { formButtons } from "#service/operator/monitors/monitor-form-view";
import { nowButton } from "#service/operator/planned/work-from-now";

/** Whether a form is to be saved: rows are added, monitors tried, channels tested, times filled, and messages previewed without that. */
export const isSave = (form: URLSearchParams): boolean =>
  rowActIn(form) === null &&
  afterTurn(form) === null &&
  !form.has(editMark) &&
  !form.has(formButtons.try) &&
  !form.has(testButton) &&
  !form.has(nowButton) &&
  !form.has(previewButton);
