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
import { actIn, changeOf, labelIn, leavingOf } from "#service/operator/monitors/many-change";
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
    const leaving = act === "move" ? await leavingOf(context, ours, change) : [];
    return carriedOut(context, request, { act, rows, ours, changes: [change, ...leaving] });
  },
};

interface ManyChange {
  readonly act: ManyAct;
  readonly rows: readonly MonitorRow[];
  /** Those of them that no file owns. */
  readonly ours: readonly MonitorRow[];
  /** In their order: a move assigns first, so that a monitor always runs somewhere. */
  readonly changes: readonly [MonitorChange, ...MonitorChange[]];
}

/** Does it, and keeps what undoes it. */
async function carriedOut(
  { rooms }: PageContext,
  { form, reader }: FormRequest,
  { act, rows, ours, changes: [change, ...more] }: ManyChange,
): Promise<PageAnswer> {
  const back = searchOf(form);
  const done = await rooms.monitors.changeEach(
    ours.map(({ id }) => id),
    change,
  );
  if (act === "delete" && done.length <= undoneAtOnce)
    return seeOther(withUndo(back, "monitor", done));
  const isDone = new Set<number>(done);
  const changed = ours.filter(({ id }) => isDone.has(id));
  for (const one of more)
    await rooms.monitors.changeEach(
      changed.map(({ id }) => id),
      one,
    );
  const undoing = [...more, change].flatMap((one) => undoingForms(changed, one));
  const undo = await keepUndoing(new KeptForms(rooms), reader, undoing);
  const ofFiles = rows.filter(({ owner }) => owner !== "");
  const path = withLeft(withNotice(back, `${act}.${done.length}.${ofFiles.length}`), ofFiles);
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
