import { undoneAtOnce } from "#limits/pages-limits";
import { Refusal } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { restoreEach } from "#service/operator/deleting/undo-answers";
import { withRestored } from "#service/operator/deleting/undo-form";
import { withAllTicked } from "#service/operator/forms/packed-choices";
import { KeptForms } from "#service/operator/kept-forms";
import { actIn, changeOf } from "#service/operator/monitors/many-change";
import { idsIn } from "#service/operator/monitors/many-selection";
import {
  endUndoing,
  keepUndoing,
  madeAct,
  madeBefore,
  stillDeleted,
  undoableUntil,
  undoingIn,
} from "#service/operator/monitors/many-undo";
import { isMonitorPath, undoneAt } from "#service/operator/monitors/one-switch";
import { withPicked } from "#service/operator/monitors/picks";
import {
  type KnownReader,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { undoneWithin } from "#limits/service-limits";
import { between, type EpochMillis } from "#base/units";
import type { MonitorId } from "#service/store/ids";

/** `/monitors/many/undo`: each monitor gets back what it had, if it still is as the act made it, and no file's. */
export const undoManyForm: OperatorForm = {
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
    if (first?.get("act") === madeAct)
      return unmake(context, reader, { undo, ids: idsIn(withAllTicked(first)), back });
    // Whatever is refused is refused before any is done, and can be tried again.
    const changes = await undoingChanges(context, steps);
    if (changes === null) return seeOther(`${withNotice(back, "refused")}&undo=${undo}`);
    const until = await undoableUntil(kept, reader, undo);
    // A move has a step for each location, so a monitor may be in several.
    const [isDone, isLeft] = [new Set<number>(), new Set<number>()];
    for (const { asked, ids, change, made } of changes) {
      const done = new Set<number>(await context.rooms.monitors.changeEach(ids, change, made));
      for (const id of asked) (done.has(id) ? isDone : isLeft).add(id);
    }
    const count = isDone.difference(isLeft).size;
    const left = isLeft.size;
    // A database that fails in the middle leaves the word: another press finds what is as before there, and does the rest.
    if (!(await endUndoing(kept, reader, undo))) return seeOther(withNotice(back, "late"));
    const picked = [...new Set(changes.flatMap(({ ids }) => ids))];
    const over = first?.get("act") === "resume" ? await closedSince(context, picked, until) : 0;
    const notice = `undone.${count}.${left}${over === 0 ? "" : `.${over}`}`;
    const path = withNotice(back, notice);
    return seeOther(isMonitorPath(back) ? path : withPicked(path, picked));
  },
};

/** How many of their incidents closed because of the pause that can be undone until an instant. */
export async function closedSince(
  { rooms }: PageContext,
  ids: readonly MonitorId[],
  until: EpochMillis | null,
): Promise<number> {
  const pausedAt = (until ?? 0) - undoneWithin;
  const newest = await rooms.store.alerts.incidents.newest("monitor", ids);
  return newest.filter(({ ended }) => ended?.because === "deactivated" && ended.at >= pausedAt)
    .length;
}

/** Takes away what was made together, but for what files own since. */
async function unmake(
  { rooms }: PageContext,
  reader: KnownReader,
  { undo, ids, back }: UndoneMonitors,
): Promise<PageAnswer> {
  const rows = await rooms.monitors.among(ids);
  const ours = rows.filter(({ owner }) => owner === "").map(({ id }) => id);
  const gone = await rooms.monitors.changeEach(ours, { kind: "delete" });
  await endUndoing(new KeptForms(rooms), reader, undo);
  return seeOther(withNotice(back, `unmade.${gone.length}.${ids.length - gone.length}`));
}

interface UndoneMonitors {
  readonly undo: string;
  readonly ids: readonly MonitorId[];
  readonly back: string;
}

/** Puts as many back as one press does, and offers the rest until it is too late for all of them. */
async function restorePart(
  context: PageContext,
  reader: KnownReader,
  { undo, ids, back }: UndoneMonitors,
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
  return { asked, ids, change, made: madeBefore(change, step) };
}
