import { html, type Html } from "#web/page/html";
import { ownForm } from "#service/operator/form-fields";
import { actMenu } from "#service/operator/forms/act-menu";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { extensionForm } from "#service/operator/planned/extensions";
import { nextWindow, occurrenceAt } from "#service/operator/planned/work-under-way";
import { may } from "#service/operator/roles";
import { isEndMovable } from "#service/store/moved-ends";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

export const pathOfWork = ({ id }: Pick<MaintenanceRow, "id">): string => `/maintenances/${id}`;

/** What can be done with planned work, in its row of the list. Work of a file is changed there: it would bring it back. */
export function rowActs(row: MaintenanceRow, at: EpochMillis, reader: KnownReader): Html | null {
  if (!may(reader, "responder")) return null;
  if (!isChangedHere(row, reader))
    return html`<div class="acts">
      ${timeActs(row, at, reader, "/maintenances")} ${updateLink(row, "small")}
    </div>`;
  const { title } = row;
  const path = pathOfWork(row);
  return html`<div class="acts">
    ${timeActs(row, at, reader, "/maintenances")} ${updateLink(row, "small")}
    <a class="button small" href="${path}/edit" aria-label="Edit ${title}">Edit</a>
    <a class="button small" href="${path}/delete" aria-label="Delete ${title}">Delete</a>
  </div>`;
}

/** The same at the head of its own page. */
export function headActs(row: MaintenanceRow, at: EpochMillis, reader: KnownReader): Html | null {
  if (!may(reader, "responder")) return null;
  const path = pathOfWork(row);
  if (!isChangedHere(row, reader))
    return html`<div class="acts">${timeActs(row, at, reader, path)} ${updateLink(row)}</div>`;
  return html`<div class="acts">
    ${timeActs(row, at, reader, path)} ${updateLink(row)}
    <a class="button" href="${path}/edit">Edit</a>
    ${actMenu(row.title, [html`<a class="button bare danger" href="${path}/delete">Delete</a>`])}
  </div>`;
}

const isChangedHere = ({ owner }: MaintenanceRow, reader: KnownReader): boolean =>
  mayChange(reader) && owner === "";

/** What whoever may change it can do with work of a file while it is under way; nothing of other work. */
export function filesNote(row: MaintenanceRow, at: EpochMillis, reader: KnownReader): Html | null {
  if (row.owner === "" || !mayChange(reader) || occurrenceAt(row, at) === null) return null;
  return html`<p class="advice">
    ${
      isEndMovable(row)
        ? "You can end or extend this time here. Its other times stay as the files say."
        : "To end it now or later, change its end in the files and apply them: they would bring back an end that is changed here."
    }
  </p>`;
}

/** Before it begins, or its next date does, it can begin now; while it is under way it can end now or later. Each is one press, leads back to where it was pressed, and can be taken back there. */
function timeActs(
  row: MaintenanceRow,
  at: EpochMillis,
  reader: KnownReader,
  back: string,
): Html | null {
  if (!mayChange(reader) || !isEndMovable(row)) return null;
  const path = pathOfWork(row);
  const next = nextWindow(row, at);
  if (next !== null && at < next.from) {
    const dated = row.recurrence === "" ? row.title : `${row.title}, its next date only`;
    const beginning = html`<input type="hidden" name="back" value="${back}" />
      <button type="submit" aria-label="Begin now: ${dated}">Begin now</button>`;
    return ownForm(`${path}/begin`, reader, beginning);
  }
  if (occurrenceAt(row, at) === null) return null;
  const what = row.recurrence === "" ? row.title : `${row.title}, this time only`;
  const ending = html`<input type="hidden" name="back" value="${back}" />
    <button type="submit" aria-label="End now: ${what}">End now</button>`;
  return html`${ownForm(`${path}/end`, reader, ending)}
  ${extensionForm(`${path}/extend`, reader, what, back)}`;
}

/** Work that takes longer, or goes well, is said where it was announced. */
const updateLink = (row: MaintenanceRow, look = ""): Html =>
  html`<a
    class="button ${look}"
    href="${pathOfWork(row)}/updates"
    aria-label="Post an update: ${row.title}"
    >Post an update</a
  >`;
