import type { FormFields } from "#check/form-field";
import type { Mistake } from "#check/findings";
import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import type { FormState } from "#service/operator/forms/form-group";
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
  form: URLSearchParams,
  { fields, again, act }: Submission,
): Promise<PageAnswer> {
  const rowAct = rowActIn(form);
  if (rowAct !== null) return again({ typed: afterRowAct(form, rowAct), mistakes: [] }, 200);
  const turned = afterTurn(form);
  if (turned !== null) return again({ typed: turned, mistakes: [] }, 200);
  if (form.has(editMark)) return again({ typed: withoutMark(form), mistakes: [] }, 200);
  const typed = withoutEmptyRows(fields, form);
  try {
    return await act(typed);
  } catch (error) {
    return again({ typed, mistakes: mistakesOf(error) }, 422);
  }
}

function withoutMark(form: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams(form);
  typed.delete(editMark);
  return typed;
}

/** What a refusal says of the form; anything else is no matter of what was typed. */
function mistakesOf(error: unknown): readonly Mistake[] {
  if (!(error instanceof Refusal) || error.code === "not_found") throw error;
  return error.mistakes.length > 0 ? error.mistakes : [{ field: "", message: error.message }];
}
