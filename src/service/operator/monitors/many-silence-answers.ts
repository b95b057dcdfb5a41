import { silencedMax } from "#limits/alerts-limits";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { changedPage } from "#service/operator/monitors/many-questions";
import { entered, isAsSeen, searchOf, selected } from "#service/operator/monitors/many-selection";
import { silenceManyPath } from "#service/operator/monitors/many-silence";
import { withPicks } from "#service/operator/monitors/picks";
import { refusedOverview } from "#service/operator/overview-answers";
import {
  type FormRequest,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { silence, silenced } from "#service/operator/silence-form";

/** `/monitors/many/silence`: nothing is sent about the selected monitors for a while. */
export const silenceManyForm: OperatorForm = {
  role: "responder",
  path: /^\/monitors\/many\/silence$/,
  act: (context, request) =>
    silenced(
      request.form,
      () => silenceMany(context, request),
      (silence) => refusedOverview(context, request, { silence }),
    ),
};

async function silenceMany(context: PageContext, request: FormRequest): Promise<PageAnswer> {
  const { form } = request;
  const back = searchOf(form);
  if (form.get("act") === entered) return enteredAnswer(context, request);
  const rows = await selected(context, request);
  // What was typed is kept in the bar, for the next try.
  const kept = { silence: { typed: form, mistakes: [] } };
  if (rows.length === 0) return refusedOverview(context, request, kept, "none");
  if (rows.length > silencedMax)
    return refusedOverview(context, request, kept, `over.${rows.length}.0`);
  if (!isAsSeen(rows, form)) return changedPage(context, request, rows, asked);
  const ids = rows.map(({ id }) => id);
  const id = await silence(context.rooms, { kind: "monitor", ids }, request);
  const path = withPicks(withNotice(back, `silence.${ids.length}.0`), form);
  return seeOther(`${path}&silence=${id}`);
}

/** Enter says nothing without a script: the list says that, and has what was selected, and typed for a silence. */
export function enteredAnswer(
  context: PageContext,
  request: FormRequest,
): Promise<PageAnswer> | PageAnswer {
  const { form } = request;
  const isSilenceTyped = form.get("length") === "own" || (form.get("reason") ?? "") !== "";
  const silence = isSilenceTyped ? { typed: form, mistakes: [] } : null;
  const isLabelTyped = ["key", "value"].some((name) => (form.get(name) ?? "") !== "");
  const label = isLabelTyped ? { typed: form, wrong: [] } : null;
  if (silence !== null || label !== null)
    return refusedOverview(context, request, { silence, label }, entered);
  return seeOther(withPicks(withNotice(searchOf(form), entered), form));
}

const asked = { action: silenceManyPath, words: "Silence", isOfOurs: false } as const;
