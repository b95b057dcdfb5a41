import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { beginOf, type Window } from "#service/alerting/maintenance";
import { seeOther } from "#service/edge/page-answer";
import { undoBar } from "#service/operator/deleting/undo-bar";
import { ownForm } from "#service/operator/form-fields";
import {
  type KnownReader,
  mayChange,
  type OperatorForm,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { backIn, endableAt, instantIn } from "#service/operator/planned/end-moves";
import { expecting, subscribersNamed } from "#service/operator/planned/work-cancellation";
import { pathOfWork } from "#service/operator/planned/work-acts";
import type { PageRooms } from "#service/operator/page-rooms";
import { nextWindow } from "#service/operator/planned/work-under-way";
import { isEndMovable } from "#service/store/moved-ends";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { after, between, epochMillis, type EpochMillis, minutes } from "#base/units";

/* Work that begins earlier than planned. Of what repeats, its next date alone. */

/** `/maintenances/ID/begin`: it stays as long as it was. Pickers have minutes, so it began with this one. */
const beginForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/begin$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const { clock, store } = context.rooms;
    const at = clock.wall();
    const one = nextWindow(row, at);
    if (one === null || one.from <= at) return seeOther(withNotice(backIn(form), "not-begun"));
    const from = epochMillis(at - (at % minutes(1)));
    const to = after(from, between(one.from, one.to));
    const move = { seen: one.from, end: one.to, from, to, isUndo: false, at };
    const isDone = await store.alerts.maintenances.moveBegin(row.id, move);
    const done = row.recurrence === "" ? "begun" : "begun-once";
    const path = withNotice(backIn(form), isDone ? done : "begin-meanwhile");
    return seeOther(isDone ? `${path}&begun=${row.id}.${one.from}.${one.to}` : path);
  },
};

/** `/maintenances/ID/begin/undo`: it begins and ends when it was to, unless it has other times meanwhile. */
const undoForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/begin\/undo$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const { clock, store } = context.rooms;
    const at = clock.wall();
    const from = instantIn(form, "to");
    if (from <= at) return seeOther(withNotice(backIn(form), "unbegun-late"));
    const [seen, end, to] = [
      instantIn(form, "seen"),
      instantIn(form, "end"),
      instantIn(form, "until"),
    ];
    const move = { seen, end, from, to, isUndo: true, at };
    const isDone = await store.alerts.maintenances.moveBegin(row.id, move);
    return seeOther(withNotice(backIn(form), isDone ? "begin-undone" : "begin-meanwhile"));
  },
};

export const beginForms: readonly OperatorForm[] = [beginForm, undoForm];

/** What the pages say after them. */
export const beginNotices = {
  begun: "Begun: monitors open no incident until it ends. It lasts as long as planned.",
  "begun-once":
    "Begun: monitors open no incident until it ends. This date lasts as long as planned, and its other dates stay as they are.",
  "not-begun": "It has begun already, so nothing was changed.",
  "begin-undone": "Undone: it begins and ends when it did before.",
  "unbegun-late": "It would have begun already by now, so nothing was changed.",
  "begin-meanwhile": "Someone changed its times at the same moment: check when it is now.",
} as const;

/**
 * A button that takes a beginning back that was moved just now, and one that puts back its end alone; null if none was, or if
 * it is too late.
 */
export async function beginUndo(
  { rooms }: PageContext,
  query: URLSearchParams,
  reader: KnownReader,
  back: string,
): Promise<Html | null> {
  const [, id, ...times] =
    /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(query.get("begun") ?? "") ?? [];
  const { clock, store } = rooms;
  const [from = 0, to = 0] = times.map(Number);
  const before = { from: epochMillis(from), to: epochMillis(to) };
  if (!mayChange(reader) || from <= clock.wall() || to <= from) return null;
  const row = await store.alerts.maintenances.get(Number(id));
  const one = row === null ? null : begunFrom(row, before.from);
  if (row === null || one === null || !isEndMovable(row)) return null;
  const link = html`<a href="${pathOfWork(row)}">${row.title}</a>`;
  return undoBar({
    label: "Its times were moved",
    words: html`${link} was to begin at ${minuteOf(before.from)} and to end at
    ${minuteOf(before.to)}.`,
    undo: html`${await updateOffer(rooms, row)}
    ${ownForm(`${pathOfWork(row)}/begin/undo`, reader, undoFields(one, before, back))}
    ${one.to === before.to ? null : endForm(row.id, [one, before], reader, back)}`,
    close: back,
  });
}

/** What was to begin at an instant, as it began before that; null if it did not. */
function begunFrom(row: MaintenanceRow, planned: EpochMillis): Window | null {
  if (row.recurrence === "") return row.from < planned ? row : null;
  const early = row.movedEnds.find((one) => one.from === planned && one.begins !== undefined);
  return early === undefined ? null : { from: beginOf(early), to: early.to };
}

const undoFields = ({ from, to }: Window, before: Window, back: string): Html =>
  html`<input type="hidden" name="seen" value="${from}" />
    <input type="hidden" name="end" value="${to}" />
    <input type="hidden" name="to" value="${before.from}" />
    <input type="hidden" name="until" value="${before.to}" />
    <input type="hidden" name="back" value="${back}" />
    <button type="submit">Undo</button>`;

/** It began early, and ends when it was to all the same. */
const endForm = (
  id: number,
  [now, before]: readonly [now: Window, before: Window],
  reader: KnownReader,
  back: string,
): Html =>
  ownForm(
    `${pathOfWork({ id })}/end/undo`,
    reader,
    html`<input type="hidden" name="from" value="${now.from}" />
      <input type="hidden" name="seen" value="${now.to}" />
      <input type="hidden" name="to" value="${before.to}" />
      <input type="hidden" name="back" value="${back}" />
      <button type="submit">Keep its planned end</button>`,
  );

/** What leads to the update that says so to whoever was sent when it was to begin; null if no one was. */
async function updateOffer(
  { store }: Pick<PageRooms, "store">,
  row: MaintenanceRow,
): Promise<Html | null> {
  const page = row.page === "" ? null : await store.pages.pages.get(Number(row.page));
  const subscribers = page === null ? 0 : await expecting({ store }, row, page);
  return subscribers === 0
    ? null
    : html`<a class="button" href="${pathOfWork(row)}/updates?fill=begun"
        >Tell ${subscribersNamed(subscribers)} that it has begun</a
      >`;
}
