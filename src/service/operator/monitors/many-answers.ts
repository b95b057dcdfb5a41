import * as checkLimits from "#limits/check-limits";
import { undoneAtOnce } from "#limits/pages-limits";
import { Refusal, violation } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { refusedOverview } from "#service/operator/overview-answers";
import { restoreEach } from "#service/operator/deleting/undo-answers";
import { withRestored, withUndo } from "#service/operator/deleting/undo-form";
import { acknowledgeManyForm } from "#service/operator/monitors/many-acknowledgement";
import { manyActs, type ManyAct } from "#service/operator/monitors/many-form";
import { areKnown } from "#service/operator/monitors/before-saving";
import { askPage, changedPage, remarksPage } from "#service/operator/monitors/many-questions";
import {
  entered,
  idsIn,
  isAsSeen,
  searchOf,
  selected,
} from "#service/operator/monitors/many-selection";
import { enteredAnswer, silenceManyForm } from "#service/operator/monitors/many-silence-answers";
import { isMonitorPath, switchForms, undoneAt } from "#service/operator/monitors/one-switch";
import { withPicked, withPicks } from "#service/operator/monitors/picks";
import { labelMistakes } from "#service/operator/monitors/many-label";
import { remarksAt } from "#service/operator/monitors/many-remarks";
import {
  endUndoing,
  keepUndoing,
  madeBefore,
  stillDeleted,
  undoableUntil,
  undoingForms,
  undoingIn,
} from "#service/operator/monitors/many-undo";
import { withAllTicked } from "#service/operator/forms/packed-choices";
import { leftNamedMax } from "#service/operator/monitors/many-notice";
import { refuseManaged } from "#service/operator/managed-note";
import { KeptForms } from "#service/operator/kept-forms";
import {
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { undoneWithin } from "#limits/service-limits";
import { between, type EpochMillis } from "#base/units";
import { locationId, type MonitorId } from "#service/store/ids";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";

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
  { form, reader }: FormRequest,
  { act, rows, ours, change }: ManyChange,
): Promise<PageAnswer> {
  const back = searchOf(form);
  const done = await rooms.monitors.changeEach(
    ours.map(({ id }) => id),
    change,
  );
  if (act === "delete" && done.length <= undoneAtOnce)
    return seeOther(withUndo(back, "monitor", done));
  const isDone = new Set<number>(done);
  const undoing = undoingForms(
    ours.filter(({ id }) => isDone.has(id)),
    change,
  );
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

const labelIn = (form: URLSearchParams): [key: string, value: string] => [
  (form.get("key") ?? "").trim(),
  (form.get("value") ?? "").trim(),
];

/** It is said on the list, where the monitors are still selected. */
const isWithoutLabel = (act: ManyAct, form: URLSearchParams): boolean =>
  (act === "label" || act === "unlabel") && (form.get("key") ?? "").trim() === "";

/** `/monitors/many/undo`: each monitor gets back what it had, if it still is as the act made it, and no file's. */
const undoForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/many\/undo$/,
  act: async (context, { form, reader }) => {
    const back = undoneAt(form);
    const kept = new KeptForms(context.rooms);
    const undo = form.get("undo") ?? "";
    const steps = await undoingIn(kept, reader, undo);
    if (steps === null) return seeOther(withNotice(back, "late"));
    const [first] = steps;
    if (first?.get("act") === "delete")
      return restorePart(context, reader, { undo, ids: idsIn(withAllTicked(first)), back });
    // Whatever is refused is refused before any is done, and can be tried again.
    const changes = await undoingChanges(context, steps);
    if (changes === null) return seeOther(`${withNotice(back, "refused")}&undo=${undo}`);
    const until = await undoableUntil(kept, reader, undo);
    let [count, left] = [0, 0];
    for (const { asked, ids, change, made } of changes) {
      const done = (await context.rooms.monitors.changeEach(ids, change, made)).length;
      count += done;
      left += asked - done;
    }
    // A database that fails in the middle leaves the word: another press finds what is as before there, and does the rest.
    if (!(await endUndoing(kept, reader, undo))) return seeOther(withNotice(back, "late"));
    const picked = changes.flatMap(({ ids }) => ids);
    const over = first?.get("act") === "resume" ? await closedSince(context, picked, until) : 0;
    const notice = `undone.${count}.${left}${over === 0 ? "" : `.${over}`}`;
    const path = withNotice(back, notice);
    return seeOther(isMonitorPath(back) ? path : withPicked(path, picked));
  },
};

/** How many of their incidents closed because of the pause that can be undone until an instant. */
async function closedSince(
  { rooms }: PageContext,
  ids: readonly MonitorId[],
  until: EpochMillis | null,
): Promise<number> {
  const pausedAt = (until ?? 0) - undoneWithin;
  const newest = await rooms.store.alerts.incidents.newest("monitor", ids);
  return newest.filter(({ ended }) => ended?.because === "deactivated" && ended.at >= pausedAt)
    .length;
}

interface DeletedMonitors {
  readonly undo: string;
  readonly ids: readonly MonitorId[];
  readonly back: string;
}

/** Puts as many back as one press does, and offers the rest until it is too late for all of them. */
async function restorePart(
  context: PageContext,
  reader: KnownReader,
  { undo, ids, back }: DeletedMonitors,
): Promise<PageAnswer> {
  const kept = new KeptForms(context.rooms);
  const until = await undoableUntil(kept, reader, undo);
  if (until === null) return seeOther(withNotice(back, "late"));
  // A database that fails in the middle leaves the word: another press finds there what was put back.
  const part = ids.slice(0, undoneAtOnce);
  const restored = await restoreEach(context, "monitor", part);
  const rest = ids.slice(undoneAtOnce);
  const left = between(context.rooms.clock.wall(), until);
  const word = await keepUndoing(kept, reader, stillDeleted(rest), left);
  await endUndoing(kept, reader, undo);
  const path = withPicked(withRestored(back, { kind: "monitor", ...restored }), part);
  return seeOther(
    word === null ? path : `${withNotice(path, `more.${rest.length}.0`)}&undo=${word}`,
  );
}

/** Null if a location refuses it: it is deleted, managed by files, or full. */
async function undoingChanges(context: PageContext, steps: readonly URLSearchParams[]) {
  try {
    return await Promise.all(steps.map((one) => undoingChange(context, one)));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function undoingChange(context: PageContext, step: URLSearchParams) {
  const act = actIn(step);
  const asked = idsIn(withAllTicked(step));
  const rows = await context.rooms.monitors.among(asked);
  const ours = rows.filter(({ owner }) => owner === "");
  const ids = ours.map(({ id }) => id);
  const change = await changeOf(context, act, ours, step);
  return { asked: asked.length, ids, change, made: madeBefore(change, step) };
}

function actIn(form: URLSearchParams): ManyAct {
  const act = manyActs.find((one) => one === form.get("act"));
  if (act === undefined)
    throw violation({ field: "act", message: `must be one of ${manyActs.join(", ")}` });
  return act;
}

export const manyForms: readonly OperatorForm[] = [
  manyForm,
  undoForm,
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
} as const;

async function changeOf(
  context: PageContext,
  act: ManyAct,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  switch (act) {
    case "pause":
    case "resume":
      return { kind: "active", active: act === "resume" };
    case "label":
    case "unlabel": {
      const [key, value] = labelIn(form);
      return { kind: "label", key, value: act === "label" ? value : null };
    }
    case "assign":
    case "unassign":
      return assignment(context, act === "assign", rows, form);
    case "delete":
      return { kind: "delete" };
  }
}

async function assignment(
  { rooms }: PageContext,
  assigned: boolean,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  const { id, name, owner, monitors } = await rooms.locations.get(form.get("location") ?? "");
  refuseManaged({ owner }, `the location "${name}"`);
  const all = new Set([...monitors, ...rows.map((row) => row.id)]);
  if (assigned && all.size > checkLimits.monitorsPerAgentMax)
    throw violation({
      field: "location",
      message: `would have ${all.size} monitors, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
    });
  return { kind: "location", location: locationId(id), assigned };
}
