import { html, type Html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import { KeptForms } from "#service/operator/kept-forms";
import { outcomeWords, savedNotice } from "#service/operator/kept/edit-undo";
import { refuseManaged } from "#service/operator/managed-note";
import { manyOutcomeWords, undoable } from "#service/operator/monitors/many-notice";
import { searchOf } from "#service/operator/monitors/many-selection";
import { keepUndoing, undoingForms } from "#service/operator/monitors/many-undo";
import {
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type PageContext,
  type PageRequest,
  withNotice,
} from "#service/operator/page-request";
import type { MonitorRow } from "#service/store/state-store";

/* One monitor is paused or resumed, and its page offers to undo that, as the list does of many. */

/** `/monitors/ID/pause` and `/resume`. */
const switchForm = (act: "pause" | "resume"): OperatorForm => ({
  role: "editor",
  path: new RegExp(`^/monitors/(?<id>\\d{1,15})/${act}$`),
  act: async (context, { id, reader }) => {
    const row = await context.rooms.monitors.get(id);
    refuseManaged(row);
    const active = act === "resume";
    await context.rooms.monitors.changeEach([row.id], { kind: "active", active });
    return seeOther(await switchedPath(context, reader, row, { active, notice: `${act}d` }));
  },
});

export const switchForms: readonly OperatorForm[] = [switchForm("pause"), switchForm("resume")];

/** What a form has saved, by the word of its notice: whether it paused or resumed the monitor, too. */
export const savedWord = ({ definition }: MonitorRow, active: boolean): string =>
  active === definition.active ? "saved" : active ? "saved-resumed" : "saved-paused";

async function switchedPath(
  { rooms }: PageContext,
  reader: KnownReader,
  row: MonitorRow,
  { active, notice }: { readonly active: boolean; readonly notice: string },
): Promise<string> {
  const undoing = undoingForms([row], { kind: "active", active });
  const undo = await keepUndoing(new KeptForms(rooms), reader, undoing);
  const path = withNotice(pathOf(row), notice);
  return undo === null ? path : `${path}&undo=${undo}`;
}

/** What the page of a monitor says of a form, by the page's words or an undo's, and a button that undoes it. */
export async function oneNotice(
  context: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  row: MonitorRow,
  words: Readonly<Record<string, string>>,
): Promise<Html | null> {
  const notice = query.get("notice") ?? "";
  const said = noticeIn(query, words) ?? outcomeWords(query, "monitor") ?? undoneWords(notice, row);
  if (said === null) return null;
  const id = String(row.id);
  if (notice.startsWith("saved") || notice.startsWith("edit-"))
    return savedNotice(context, { query, reader }, { kind: "monitor", id }, said);
  const back = html`<input type="hidden" name="back" value="${pathOf(row)}" />`;
  return undoable(context, { query, reader }, said, { back, close: pathOf(row) });
}

/** Of one monitor, what it is again is said, with what is said of its incident. */
function undoneWords(notice: string, { definition }: MonitorRow): string | null {
  const words = manyOutcomeWords(notice);
  const again = definition.active ? "it is checked again" : "it is paused again";
  return words?.replace("1 monitor is as before", again) ?? null;
}

const pathOf = ({ id }: Pick<MonitorRow, "id">): string => `/monitors/${id}`;

export const isMonitorPath = (path: string): boolean => /^\/monitors\/\d{1,15}$/.test(path);

/** Where an undo leads back to: the monitor on whose page it was pressed, or the search of the list. */
export function undoneAt(form: URLSearchParams): string {
  const back = form.get("back") ?? "";
  return isMonitorPath(back) ? back : searchOf(form);
}
