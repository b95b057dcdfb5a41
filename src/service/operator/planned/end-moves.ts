import { html, type Html } from "#web/page/html";
import { minuteOf, weekdayMinuteOf } from "#web/page/moment";
import { isSkipped } from "#service/alerting/maintenance";
import { seeOther } from "#service/edge/page-answer";
import { undoBar } from "#service/operator/deleting/undo-bar";
import { ownForm } from "#service/operator/form-fields";
import { refuseManaged } from "#service/operator/managed-note";
import {
  type KnownReader,
  mayChange,
  type OperatorForm,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { lengthIn } from "#service/operator/planned/extensions";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import type { PageRooms } from "#service/operator/page-rooms";
import { expecting, subscribersNamed } from "#service/operator/planned/work-cancellation";
import { pathOfWork } from "#service/operator/planned/work-acts";
import {
  type Occurrence,
  occurrenceAt,
  occurrenceFrom,
} from "#service/operator/planned/work-under-way";
import { isEndMovable } from "#service/store/moved-ends";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { after, epochMillis, type EpochMillis } from "#base/units";

/** What is under way ends now, and stays in the list. Of work that repeats, this time ends, and the others stay. */
const endForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/end$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const at = context.rooms.clock.wall();
    const current = occurrenceAt(row, at);
    if (current === null) return seeOther(withNotice(backIn(form), "not-ended"));
    const isDone = await moveEnd(context, row, current, { to: at, isUndo: false });
    const notice = row.recurrence === "" ? "ended" : "ended-once";
    return seeOther(isDone ? withMove(backIn(form), notice, row, current) : overtaken(form));
  },
};

/** `/maintenances/ID/extend`: of work that repeats, this time alone. */
const extendForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/extend$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const length = lengthIn(form);
    const current = occurrenceAt(row, context.rooms.clock.wall());
    if (current === null) return seeOther(withNotice(backIn(form), "too-late"));
    const to = after(current.to, length);
    const isDone = await moveEnd(context, row, current, { to, isUndo: false });
    const notice = row.recurrence === "" ? "longer" : "longer-once";
    return seeOther(isDone ? withMove(backIn(form), notice, row, current) : overtaken(form));
  },
};

/** `/maintenances/ID/end/undo`: the end is where it was before one of these, unless it has another one meanwhile. */
const undoForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/end\/undo$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const to = instantIn(form, "to");
    const one = occurrenceFrom(row, instantIn(form, "from"));
    if (one === null || instantIn(form, "seen") !== one.to) return seeOther(overtaken(form));
    if (to <= context.rooms.clock.wall()) return seeOther(withNotice(backIn(form), "undone-late"));
    const isDone = await moveEnd(context, row, one, { to, isUndo: true });
    const notice = isSkipped(one) ? "unskipped" : "end-undone";
    return seeOther(isDone ? withNotice(backIn(form), notice) : overtaken(form));
  },
};

export const endForms: readonly OperatorForm[] = [endForm, extendForm, undoForm];

/** What the pages say after them. */
export const endNotices = {
  ended: "Ended: monitors open incidents again.",
  "ended-once": "Ended this time: monitors open incidents again. Its other times stay as they are.",
  "not-ended": "It is not under way any more, so nothing was ended.",
  longer: "Extended. Post an update if a status page announced when it ends.",
  "longer-once":
    "Extended this time; its other times stay as they are. Post an update if a status page announced when it ends.",
  "end-undone": "Undone: it ends when it did before.",
  skipped: "Skipped: it does not take place on that date. Its other dates stay as they are.",
  "skipped-before": "It is skipped on that date already.",
  "no-date":
    "It does not begin on that day, so nothing was skipped. Choose a day on which it begins.",
  "skipped-late": "It has begun already on that date. End it instead.",
  unskipped: "Undone: it takes place on that date.",
  "undone-late": "It would have ended already by now, so nothing was changed.",
  meanwhile: "Someone changed its end at the same moment: check when it ends now.",
} as const;

export async function endableAt(context: PageContext, id: string): Promise<MaintenanceRow> {
  const row = await workAt(context, id);
  if (!isEndMovable(row)) refuseManaged(row);
  return row;
}

/** Moves the end of a time of planned work that was seen just now. */
export function moveEnd(
  { rooms: { clock, store } }: PageContext,
  row: MaintenanceRow,
  { from, to: seen, planned }: Occurrence,
  move: { readonly to: EpochMillis; readonly isUndo: boolean },
): Promise<boolean> {
  const at = clock.wall();
  return store.alerts.maintenances.moveEnd(row.id, { ...move, from, planned, seen, at });
}

/** An instant that a form of ours has; 0 in any other. */
export function instantIn(form: URLSearchParams, name: string): EpochMillis {
  const text = form.get(name) ?? "";
  return epochMillis(/^\d{1,15}$/.test(text) ? Number(text) : 0);
}

/** The page on which it was pressed. */
export const backIn = (form: URLSearchParams): string =>
  form.has("back") ? wantedPath(form.get("back")) : "/maintenances";

export const overtaken = (form: URLSearchParams): string => withNotice(backIn(form), "meanwhile");

/** An address that says which end was moved and where it was, so that the page there offers to undo it. */
export const withMove = (
  path: string,
  notice: string,
  { id }: MaintenanceRow,
  { from, to }: Occurrence,
): string => `${withNotice(path, notice)}&moved=${id}.${to}.${from}`;

/** A button that takes the move back that was just made; null if none was, or if it is too late. */
export async function endUndo(
  { rooms }: PageContext,
  query: URLSearchParams,
  reader: KnownReader,
  back: string,
): Promise<Html | null> {
  const [, id, to, from] =
    /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(query.get("moved") ?? "") ?? [];
  if (!mayChange(reader)) return null;
  const { clock, store } = rooms;
  const before = epochMillis(Number(to ?? 0));
  if (before <= clock.wall()) return null;
  const row = await store.alerts.maintenances.get(Number(id));
  const one = row === null ? null : occurrenceFrom(row, epochMillis(Number(from ?? 0)));
  if (row === null || one === null || one.to === before || !isEndMovable(row)) return null;
  const link = html`<a href="${pathOfWork(row)}">${row.title}</a>`;
  return undoBar({
    label: isSkipped(one) ? "A date was skipped" : "Its end was moved",
    words: html`${
      isSkipped(one)
        ? html`${link} was to be on ${weekdayMinuteOf(one.from)}.`
        : html`${link} was to end at ${minuteOf(before)}.`
    }`,
    undo: html`${await updateOffer(rooms, row, one, before)}
    ${ownForm(
      `${pathOfWork(row)}/end/undo`,
      reader,
      html`<input type="hidden" name="from" value="${one.from}" />
        <input type="hidden" name="seen" value="${one.to}" />
        <input type="hidden" name="to" value="${before}" />
        <input type="hidden" name="back" value="${back}" />
        <button type="submit">Undo</button>`,
    )}`,
    close: back,
  });
}

/** What leads to the update that says so to whoever was sent the end before; null if no one was. */
async function updateOffer(
  { store }: Pick<PageRooms, "store">,
  row: MaintenanceRow,
  one: Occurrence,
  before: EpochMillis,
): Promise<Html | null> {
  const page = row.page === "" ? null : await store.pages.pages.get(Number(row.page));
  const subscribers = page === null ? 0 : await expecting({ store }, row, page);
  if (subscribers === 0) return null;
  const [fill, what] = isSkipped(one)
    ? [`skipped.${one.from}`, "it does not take place"]
    : one.to < before
      ? ["over", "it is over"]
      : ["later", "it ends later"];
  return html`<a class="button" href="${pathOfWork(row)}/updates?fill=${fill}"
    >Tell ${subscribersNamed(subscribers)} that ${what}</a
  >`;
}
