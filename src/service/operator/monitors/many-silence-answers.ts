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
      (refused) => refusedOverview(context, request, refused),
    ),
};

async function silenceMany(context: PageContext, request: FormRequest): Promise<PageAnswer> {
  const { form } = request;
  const back = searchOf(form);
  if (form.get("act") === entered) return enteredAnswer(context, request);
  const rows = await selected(context, request);
  if (rows.length === 0) return seeOther(withNotice(back, "none"));
  if (rows.length > silencedMax)
    return seeOther(withPicks(withNotice(back, `over.${rows.length}.0`), form));
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
  if (isSilenceTyped) return refusedOverview(context, request, { typed: form, mistakes: [] });
  return seeOther(withPicks(withNotice(searchOf(form), entered), form));
}

const asked = { action: silenceManyPath, words: "Silence", isOfOurs: false } as const;
