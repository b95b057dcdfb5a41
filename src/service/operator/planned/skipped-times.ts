import { html, type Html } from "#web/page/html";
import { weekdayMinuteOf } from "#web/page/moment";
import { isSkipped, type Window } from "#service/alerting/maintenance";
import { seeOther } from "#service/edge/page-answer";
import { ownForm } from "#service/operator/form-fields";
import {
  type KnownReader,
  mayChange,
  type OperatorForm,
  withNotice,
} from "#service/operator/page-request";
import {
  backIn,
  endableAt,
  instantIn,
  moveEnd,
  overtaken,
  withMove,
} from "#service/operator/planned/end-moves";
import type { PlannedStory } from "#service/operator/planned/planned-story";
import { pathOfWork } from "#service/operator/planned/work-acts";
import { occurrenceFrom } from "#service/operator/planned/work-under-way";
import { windowWords } from "#service/operator/planned/work-words";
import { windowOn } from "#service/maintenance/dated-window";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { seriesOf } from "#service/status-site/planned-series";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/* Single times of work that repeats which do not take place. */

/** `/maintenances/ID/skip`: one that comes, or that of a day in its zone. It is kept as a time that ends as it begins. */
const skipForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/skip$/,
  act: async (context, { id, form }) => {
    const row = await endableAt(context, id);
    const day = form.get("day");
    const dated = day === null ? null : windowOn(row, day);
    if (day !== null && dated === null) return seeOther(withNotice(backIn(form), "no-date"));
    const from = dated?.from ?? instantIn(form, "from");
    const one = row.recurrence === "" ? null : occurrenceFrom(row, from);
    if (one === null && dated !== null) return seeOther(withNotice(backIn(form), "skipped-late"));
    if (one !== null && dated !== null && isSkipped(one))
      return seeOther(withNotice(backIn(form), "skipped-before"));
    if (one === null || isSkipped(one)) return seeOther(overtaken(form));
    if (one.from <= context.rooms.clock.wall())
      return seeOther(withNotice(backIn(form), "skipped-late"));
    const isDone = await moveEnd(context, row, one, { to: one.from, isUndo: false });
    return seeOther(isDone ? withMove(backIn(form), "skipped", row, one) : overtaken(form));
  },
};

export const skipForms: readonly OperatorForm[] = [skipForm];

/** Times that were to come and do not take place. */
export const skippedTimes = (row: MaintenanceRow, at: EpochMillis): readonly Window[] =>
  maintenanceOf(row)
    .flatMap((one) => seriesOf(one)?.skipped ?? [])
    .filter(({ to }) => to > at);

/** The same in its row of the list. */
export const skippedLine = (row: MaintenanceRow, at: EpochMillis): Html | null => {
  const days = skippedTimes(row, at).map(({ from }) => weekdayMinuteOf(from));
  return days.length === 0
    ? null
    : html`<p class="kind">
        Skipped: ${days.map((day, index) => html`${index === 0 ? null : ", "}${day}`)}
      </p>`;
};

/** The next times of what repeats, each with a button that skips it, and those that are skipped with one that undoes that. */
export function comingSection(
  { row, window, coming }: PlannedStory,
  at: EpochMillis,
  reader: KnownReader,
): Html | null {
  const skipped = skippedTimes(row, at);
  if (row.recurrence === "" || coming.length + skipped.length === 0) return null;
  const next = window === null || window.from <= at ? [] : [window];
  const all = [...next, ...coming, ...skipped].toSorted((a, b) => a.from - b.from);
  const lines = all.map((one) => {
    const isOff = skipped.includes(one);
    const act = mayChange(reader) ? (isOff ? undoForm : skippingForm)(row, one, reader) : null;
    return html`<li class="title-line">
      <span>${windowWords(one)}${isOff ? html`: <strong>does not take place</strong>` : null}</span>
      ${act}
    </li>`;
  });
  return html`<section aria-labelledby="coming">
    <h2 id="coming">Coming dates</h2>
    <ul class="windows">
      ${lines}
    </ul>
    ${mayChange(reader) ? otherForm(row, reader) : null}
  </section>`;
}

/** Any day on which it begins, by the clock by which it is planned. */
const otherForm = (row: MaintenanceRow, reader: KnownReader): Html =>
  ownForm(
    `${pathOfWork(row)}/skip`,
    reader,
    html`<input type="hidden" name="back" value="${pathOfWork(row)}" />
      <label
        >Another date (${row.timeZone.replaceAll("_", " ")}) <input type="date" name="day" required
      /></label>
      <button type="submit">Skip that date</button>`,
  );

const skippingForm = (row: MaintenanceRow, { from }: Window, reader: KnownReader): Html =>
  ownForm(
    `${pathOfWork(row)}/skip`,
    reader,
    html`<input type="hidden" name="from" value="${from}" />
      <input type="hidden" name="back" value="${pathOfWork(row)}" />
      <button type="submit" class="small">
        Skip this date<span class="unseen">: ${weekdayMinuteOf(from)}</span>
      </button>`,
  );

const undoForm = (row: MaintenanceRow, { from, to }: Window, reader: KnownReader): Html =>
  ownForm(
    `${pathOfWork(row)}/end/undo`,
    reader,
    html`<input type="hidden" name="from" value="${from}" />
      <input type="hidden" name="seen" value="${from}" />
      <input type="hidden" name="to" value="${to}" />
      <input type="hidden" name="back" value="${pathOfWork(row)}" />
      <button type="submit" class="small">
        Undo<span class="unseen">: it takes place ${weekdayMinuteOf(from)}</span>
      </button>`,
  );
