import { durationMistakes, withTimesAgain } from "#service/operator/forms/form-durations";
import type { FormFields } from "#check/form-field";
import type { Mistake } from "#check/findings";
import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import type { FormState } from "#service/operator/forms/form-group";
import { withGroupedLimits } from "#service/operator/forms/grouped-limits";
import { fieldId } from "#service/operator/forms/field-id";
import { labelIn } from "#service/operator/forms/field-view";
import { withLackingTexts } from "#service/operator/forms/lacking-text";
import { afterTurn, editMark } from "#service/operator/forms/form-turns";
import { afterRowAct, rowActIn, withoutEmptyRows } from "#service/operator/forms/form-rows";

/** What becomes of a form that was posted. */
interface Submission {
  readonly fields: FormFields;
  /** The page with the form as it was typed. */
  readonly again: (state: FormState, status: number) => Promise<PageAnswer> | PageAnswer;
  /** Does what the form says, or throws a Refusal. */
  readonly act: (typed: URLSearchParams) => Promise<PageAnswer>;
}

/** Rows are added and taken away; anything else is done. A refusal shows the form again, with all that was typed. */
export async function submitted(
  sent: URLSearchParams,
  { fields, again, act }: Submission,
): Promise<PageAnswer> {
  const form = withTimesAgain(fields, sent);
  const rowAct = rowActIn(form);
  if (rowAct !== null) return again({ typed: afterRowAct(form, rowAct), mistakes: [] }, 200);
  const turned = afterTurn(form);
  if (turned !== null) return again({ typed: turned, mistakes: [] }, 200);
  if (form.has(editMark)) return again({ typed: withoutMark(form), mistakes: [] }, 200);
  const typed = withoutEmptyRows(fields, form);
  try {
    return await act(typed);
  } catch (error) {
    const mistakes = withLackingTexts(fields, typed, mistakesOf(error));
    return again({ typed, mistakes: durationMistakes(fields, typed, mistakes) }, 422);
  }
}

/** The fields, by the ids of their inputs, that a person left or that are marked: a script asks what is wrong with them. */
const leftMark = "left";

/** A form that a script asks about says what is wrong with these fields, and nothing of the others yet. */
export function withLeft(
  state: FormState,
  wrong: readonly Mistake[],
  fields: FormFields,
): FormState {
  const { typed } = state;
  const left = new Set(typed.getAll(leftMark));
  if (left.size === 0) return state;
  const isLeft = ({ field }: Mistake): boolean =>
    left.has(fieldId(labelIn(fields, field).name, { idPrefix: "" }));
  const after = new URLSearchParams(typed);
  after.delete(leftMark);
  return { typed: after, mistakes: withLackingTexts(fields, after, wrong.filter(isLeft)) };
}

/** Whether a form was sent by a button that only shows it again: nothing is done, whatever else it says. */
export const isShownAgain = (form: URLSearchParams): boolean =>
  rowActIn(form) !== null || afterTurn(form) !== null || form.has(editMark);

function withoutMark(form: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams(form);
  typed.delete(editMark);
  return typed;
}

/** What a refusal says of the form; anything else is no matter of what was typed. */
function mistakesOf(error: unknown): readonly Mistake[] {
  if (!(error instanceof Refusal) || error.code === "not_found") throw error;
  const { mistakes, message } = error;
  return withGroupedLimits(mistakes.length > 0 ? mistakes : [{ field: "", message }]);
}
