import { undoneAtOnce } from "#limits/pages-limits";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { refusedOverview } from "#service/operator/overview-answers";
import { withUndo } from "#service/operator/deleting/undo-form";
import { acknowledgeManyForm } from "#service/operator/monitors/many-acknowledgement";
import type { ManyAct } from "#service/operator/monitors/many-form";
import { areKnown } from "#service/operator/monitors/before-saving";
import { askPage, changedPage, remarksPage } from "#service/operator/monitors/many-questions";
import { entered, isAsSeen, searchOf, selected } from "#service/operator/monitors/many-selection";
import { enteredAnswer, silenceManyForm } from "#service/operator/monitors/many-silence-answers";
import { switchForms } from "#service/operator/monitors/one-switch";
import { withPicks } from "#service/operator/monitors/picks";
import { labelMistakes } from "#service/operator/monitors/many-label";
import { remarksAt } from "#service/operator/monitors/many-remarks";
import { keepUndoing, undoingForms } from "#service/operator/monitors/many-undo";
import { leftNamedMax } from "#service/operator/monitors/many-notice";
import { KeptForms } from "#service/operator/kept-forms";
import {
  type FormRequest,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";
import { actIn, changeOf, labelIn } from "#service/operator/monitors/many-change";
import {
  isTooFar,
  leaversOf,
  leavingOf,
  refuseLeaving,
  undoingMove,
} from "#service/operator/monitors/many-move";
import { StoreFault } from "#service/store/store-fault";
import type { MonitorId } from "#service/store/ids";
import { undoManyForm } from "#service/operator/monitors/many-undo-answers";

/** `/monitors/many`: one thing is done with every monitor that is selected. What files own stays as it is. */
const manyForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/many$/,
  act: async (context, request) => {
    const { form } = request;
    if (form.get("act") === entered) return enteredAnswer(context, request);
    const act = actIn(form);
    const rows = await selected(context, request);
    const ours = rows.filter(({ owner }) => owner === "");
    const left = rows.length - ours.length;
    if (ours.length === 0)
      return notDone(context, request, act, left === 0 ? "none" : `files.${left}.0`);
    const isSeen = isAsSeen(rows, form);
    if (act === "delete" && !(isSeen && form.has("sure")))
      return askPage(context, request.reader, rows, form);
    if (isWithoutLabel(act, form)) return notDone(context, request, act, "unnamed");
    const wrong = act === "label" ? labelMistakes(ours, ...labelIn(form)) : [];
    if (wrong.length > 0)
      return refusedOverview(context, request, { label: { typed: form, wrong } });
    if (act !== "delete" && !isSeen) return changedPage(context, request, rows, asked[act]);
    const change = await changeOf(context, act, ours, form);
    if (change.kind === "location" && change.assigned) {
      const remarks = await remarksAt(context.rooms, change.location, ours);
      if (!areKnown(remarks, form))
        return remarksPage(context, request.reader, rows, form, remarks);
    }
    if (act === "move") return moved(context, request, { act, rows, ours, change });
    return carriedOut(context, request, { act, rows, ours, change });
  },
};

interface ManyChange {
  readonly act: ManyAct;
  readonly rows: readonly MonitorRow[];
  /** Those of them that no file owns. */
  readonly ours: readonly MonitorRow[];
  readonly change: MonitorChange;
}

/** Does it, and keeps what undoes it. */
async function carriedOut(
  { rooms }: PageContext,
  request: FormRequest,
  many: ManyChange,
): Promise<PageAnswer> {
  const { act, ours, change } = many;
  const done = await rooms.monitors.changeEach(
    ours.map(({ id }) => id),
    change,
  );
  if (act === "delete" && done.length <= undoneAtOnce)
    return seeOther(withUndo(searchOf(request.form), "monitor", done));
  const undoing = undoingForms(among(ours, done), change);
  const undo = await keepUndoing(new KeptForms(rooms), request.reader, undoing);
  return doneAnswer(request, many, done.length, undo);
}

/** Assigns first, so that a monitor always runs somewhere. What undoes it is kept before: each change is a separate write. */
async function moved(
  context: PageContext,
  request: FormRequest,
  many: ManyChange,
): Promise<PageAnswer> {
  const { monitors } = context.rooms;
  const { act, ours, change } = many;
  const leaving = leavingOf(ours, change);
  if (isTooFar(ours, change, leaving))
    return notDone(context, request, act, `far.${leaving.length}.0`);
  await refuseLeaving(context, leaving);
  const kept = new KeptForms(context.rooms);
  const undo = await keepUndoing(kept, request.reader, undoingMove(ours, change, leaving));
  const ids = ours.map(({ id }) => id);
  const done = await monitors.changeEach(ids, change);
  const changed = among(ours, done);
  try {
    for (const one of leaving) await monitors.changeEach(leaversOf(changed, one), one);
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    return doneAnswer(request, { rows: many.rows, act: "stopped" }, done.length, undo);
  }
  return doneAnswer(request, many, done.length, undo);
}

function among(rows: readonly MonitorRow[], ids: readonly MonitorId[]): readonly MonitorRow[] {
  const some = new Set<number>(ids);
  return rows.filter(({ id }) => some.has(id));
}

/** The same search, which says what was done and offers its undo. */
function doneAnswer(
  { form }: FormRequest,
  { act, rows }: Pick<ManyChange, "rows"> & { readonly act: ManyAct | "stopped" },
  count: number,
  undo: string | null,
): PageAnswer {
  const ofFiles = rows.filter(({ owner }) => owner !== "");
  const notice = `${act}.${count}.${ofFiles.length}`;
  const path = withLeft(withNotice(searchOf(form), notice), ofFiles);
  const undoable = undo === null ? path : `${path}&undo=${undo}`;
  return seeOther(act === "delete" ? undoable : withPicks(undoable, form));
}

/** The address names the first of those that stay as they were. */
const withLeft = (path: string, ofFiles: readonly MonitorRow[]): string => {
  if (ofFiles.length === 0) return path;
  const ids = ofFiles.slice(0, leftNamedMax).map(({ id }) => id);
  return `${path}&left=${ids.join(".")}`;
};

/** Nothing was done: the list says why, and has what was selected and the label that was typed. */
function notDone(
  context: PageContext,
  request: FormRequest,
  act: ManyAct,
  notice: string,
): Promise<PageAnswer> | PageAnswer {
  const { form } = request;
  if (act === "label" || act === "unlabel")
    return refusedOverview(context, request, { label: { typed: form, wrong: [] } }, notice);
  return seeOther(withPicks(withNotice(searchOf(form), notice), form));
}

/** It is said on the list, where the monitors are still selected. */
const isWithoutLabel = (act: ManyAct, form: URLSearchParams): boolean =>
  (act === "label" || act === "unlabel") && (form.get("key") ?? "").trim() === "";

export const manyForms: readonly OperatorForm[] = [
  manyForm,
  undoManyForm,
  silenceManyForm,
  acknowledgeManyForm,
  ...switchForms,
];

const asking = (words: string) => ({ action: "/monitors/many", words, isOfOurs: true });
/** What is asked before it is done with other monitors than the page showed. */
const asked = {
  pause: asking("Pause"),
  resume: asking("Resume"),
  label: asking("Label"),
  unlabel: asking("Remove the label of"),
  assign: asking("Assign"),
  unassign: asking("Unassign"),
  move: asking("Move"),
} as const;
