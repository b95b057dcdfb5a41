import { seeOther } from "#service/edge/page-answer";
import { Refusal } from "#service/edge/call-refusal";
import { isAbsence } from "#service/operator/changes/overtaken-page";
import {
  type Edit,
  editedPath,
  editIn,
  type EditedKind,
  outcomeNotice,
  type UndoneEdit,
} from "#service/operator/kept/edit-undo";
import { undoChannelEdit } from "#service/operator/kept/channel-edit";
import { undoLocationEdit } from "#service/operator/kept/location-edit";
import { undoMonitorEdit } from "#service/operator/kept/monitor-edit";
import { KeptForms } from "#service/operator/kept-forms";
import { closedSince } from "#service/operator/monitors/many-undo-answers";
import { endUndoing, undoableUntil, undoingIn } from "#service/operator/monitors/many-undo";
import {
  type OperatorForm,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { undoing } from "#service/store/audit/actor";
import { StoreFault } from "#service/store/store-fault";

/** `/undo/edit`: an object is as it was before a form changed it, unless someone changed it since. */
export const undoEditForm: OperatorForm = {
  role: "editor",
  path: /^\/undo\/edit$/,
  act: async (context, { form, reader }) => {
    const kept = new KeptForms(context.rooms);
    const undo = form.get("undo") ?? "";
    const [step] = (await undoingIn(kept, reader, undo)) ?? [];
    const edit = step === undefined ? null : editIn(step);
    if (edit === null)
      return seeOther(withNotice(wantedPath(form.get("back")), outcomeNotice("late")));
    const until = await undoableUntil(kept, reader, undo);
    const { outcome, resumed = [] } = await undone(context, edit);
    // What is refused for another reason can be tried again.
    if (outcome !== "refused" && outcome !== "owned") await endUndoing(kept, reader, undo);
    const closed = await closedSince(context, resumed, until);
    const path = withNotice(editedPath(edit), outcomeNotice(outcome, closed));
    return seeOther(outcome === "refused" ? `${path}&undo=${undo}` : path);
  },
};

type UndoEdit = (context: PageContext, edit: Edit) => Promise<UndoneEdit>;

const undos: { readonly [K in EditedKind]: UndoEdit } = {
  monitor: undoMonitorEdit,
  channel: undoChannelEdit,
  location: undoLocationEdit,
};

async function undone(context: PageContext, edit: Edit): Promise<UndoneEdit> {
  const { kind, id, version } = edit;
  try {
    return await undoing({ kind, id, version }, () => undos[kind](context, edit));
  } catch (error) {
    if (error instanceof StoreFault && error.code === "overtaken") return { outcome: "changed" };
    // The page of what was deleted says who did that.
    if (isAbsence(error)) return { outcome: "changed" };
    if (error instanceof Refusal) return { outcome: "refused" };
    throw error;
  }
}
