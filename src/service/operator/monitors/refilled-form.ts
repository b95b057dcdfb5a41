import type { Kind } from "#check/monitor";
import type { FormState } from "#service/operator/forms/form-group";
import { isShownAgain } from "#service/operator/forms/form-submission";
import { withExpected } from "#service/operator/monitors/expected-answer";
import { withExpectedValue } from "#service/operator/failures/expected-value";
import { losesTyped } from "#service/operator/monitors/as-kind";
import { mistakesIn, type Subject } from "#service/operator/monitors/form-subject";
import { kindIn, switchedKind } from "#service/operator/monitors/kind-switch";
import { formButtons } from "#service/operator/monitors/monitor-form-view";
import {
  isTarget,
  noTarget,
  nothingFilled,
  targetField,
  type TargetReading,
  withoutReading,
  withTarget,
  withTargetFault,
} from "#service/operator/monitors/target-field";
import type { PageContext } from "#service/operator/page-request";

/**
 * What is sent, with its target read if nothing is saved of it yet. A form that is only shown again is left as it is: its
 * button would be lost in the reading, and the form be saved.
 */
export const readForm = (form: URLSearchParams, kind: Kind, { row }: Subject): TargetReading =>
  row === null && !isShownAgain(form)
    ? withTarget(form, kind)
    : { form, kind, filled: nothingFilled };

/** The form as another kind, or as its target says, with what is wrong with that; null if it is to be saved or tried. */
export async function refilledForm(
  context: PageContext,
  form: URLSearchParams,
  before: Kind,
  subject: Subject,
): Promise<RefilledForm | null> {
  const refilled = refilling(form, before, subject);
  if (refilled === null || !form.has(formButtons.fill)) return refilled;
  const { kind, answer } = refilled;
  const [state, ...said] = answer;
  return { kind, answer: [await withTargetRead(context, kind, state, subject), ...said] };
}

interface RefilledForm {
  readonly kind: Kind;
  readonly answer: RefilledAnswer;
}

function refilling(form: URLSearchParams, kind: Kind, subject: Subject): RefilledForm | null {
  const to = form.get(formButtons.kind);
  if (to !== null) {
    const typed = switchedKind(kindIn(to), kind, form);
    return { kind: kindIn(to), answer: [{ typed, mistakes: [] }, 200] };
  }
  const expected = withExpected(form) ?? withExpectedValue(form);
  if (expected !== null) return { kind, answer: [{ typed: expected, mistakes: [] }, 200] };
  const undone = withoutReading(form, kind, form.get(formButtons.unfill) ?? "");
  if (undone !== null)
    return { kind: undone.kind, answer: [{ typed: undone.form, mistakes: [] }, 200] };
  const isFilling = form.has(formButtons.fill);
  if (isFilling && !isTarget(form, kind)) {
    const field = targetField(kind);
    const mistakes = [{ field, message: noTarget(form.get(field) ?? "") }];
    return { kind, answer: [faulted({ typed: form, mistakes }, kind), 422] };
  }
  const read = readForm(form, kind, subject);
  // Another kind is shown before it is saved only if that takes something away that was typed.
  const isSaved = read.kind === kind || !losesTyped(read.kind, kind, form);
  if (!isFilling && (isSaved || form.has(formButtons.try))) return null;
  return { kind: read.kind, answer: [{ typed: read.form, mistakes: [] }, 200, read] };
}

type RefilledAnswer = [state: FormState, status: number, said?: Pick<TargetReading, "filled">];

/** A form that is filled in from its target says at once what is wrong with that. No one sent it. */
async function withTargetRead(
  context: PageContext,
  kind: Kind,
  state: FormState,
  subject: Subject,
): Promise<FormState> {
  if (state.mistakes.length > 0) return { ...state, isUnsent: true };
  const wrong = await mistakesIn(context, kind, state.typed, subject);
  const mistakes = wrong.filter(({ field }) => field === targetField(kind));
  return { ...state, mistakes, isUnsent: true };
}

export const faulted = ({ typed, mistakes }: FormState, kind: Kind): FormState => ({
  typed,
  mistakes: withTargetFault(mistakes, typed, kind),
});
