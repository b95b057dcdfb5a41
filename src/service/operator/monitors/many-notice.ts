import { counted, dayAndTime, isoTime } from "#web/page/format";
import { clockMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import { undoBar } from "#service/operator/deleting/undo-bar";
import { ownForm } from "#service/operator/form-fields";
import { KeptForms } from "#service/operator/kept-forms";
import { manyActs, type ManyAct } from "#service/operator/monitors/many-form";
import { noUndo, undoableUntil, undoPath } from "#service/operator/monitors/many-undo";
import { entered } from "#service/operator/monitors/many-selection";
import { silencedMost } from "#service/operator/monitors/many-silence";
import { integerOf, monitorId } from "#service/store/ids";
import { may } from "#service/operator/roles";
import { endForm, silenceNotices } from "#service/operator/silence-form";
import type { PageContext, PageRequest } from "#service/operator/page-request";

const deeds: { readonly [A in ManyAct]: string } = {
  pause: "paused",
  resume: "resumed",
  label: "labelled",
  unlabel: "without the label",
  assign: "assigned to the location",
  unassign: "taken from the location",
  move: "moved to the location",
  delete: "deleted",
};

/** What became of an act on many, by the words in the overview's address, and a button that undoes it. */
export async function manyNotice(
  context: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  back: string,
): Promise<Html | null> {
  const words = manyOutcomeWords(query.get("notice") ?? "");
  if (words === null) return null;
  const silenced = query.get("silence");
  if (silenced !== null) return silencedNotice(context.rooms, { words, silenced, back, reader });
  const search = html`<input type="hidden" name="query" value="${back}" />`;
  const left = await leftNames(context.rooms, query.get("left") ?? "");
  return undoable(context, { query, reader }, `${words}${left}`, {
    back: search,
    close: `/${back}`,
  });
}

/** Which of the selected stayed as they were, by the first of their names. */
async function leftNames(
  { monitors }: Pick<PageContext["rooms"], "monitors">,
  left: string,
): Promise<string> {
  const ids = left.split(".", leftNamedMax).flatMap((text) => integerOf(text) ?? []);
  const rows = await monitors.among(ids.map(monitorId));
  const names = rows.map(({ definition: { name } }) => name);
  return names.length === 0 ? "" : ` First of them: ${names.join(", ")}.`;
}

/** More names would be longer than what was done. */
export const leftNamedMax = 3;

/** The form of an undo: where it is sent, and its field that says where that leads. */
interface UndoForm {
  readonly action?: string;
  readonly back: Html;
  /** The page without what it says of that. */
  readonly close: string;
  /** What it undoes, if more was done than that. */
  readonly what?: string;
}

/** Words of what was done, and a button that undoes it while it can be. */
export async function undoable(
  { rooms }: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  words: string | Html,
  { action = undoPath, back, close, what = "this" }: UndoForm,
): Promise<Html> {
  const undo = query.get("undo") ?? "";
  const label = "Done";
  if (undo === noUndo)
    return undoBar({ label, words: html`${words} You cannot undo this.`, undo: null, close });
  const until = undo === "" ? null : await undoableUntil(new KeptForms(rooms), reader, undo);
  if (until === null) return undoBar({ label, words: html`${words}`, undo: null, close });
  return undoBar({
    label,
    words: html`${words} You can undo ${what} until ${clockMark(until)}.`,
    undo: ownForm(
      action,
      reader,
      html`<input type="hidden" name="undo" value="${undo}" /> ${back}
        <button type="submit">Undo</button>`,
    ),
    close,
  });
}

interface SilencedNotice {
  readonly words: string;
  readonly silenced: string;
  readonly back: string;
  readonly reader: PageRequest["reader"];
}

/** Until when nothing is sent, and a button that ends that; what is over is not shown as if it lasted. */
async function silencedNotice(
  { store, clock }: PageContext["rooms"],
  { words, silenced, back, reader }: SilencedNotice,
): Promise<Html> {
  const lasting = await store.alerts.silences.list(clock.wall());
  const silence = lasting.find(({ id }) => String(id) === silenced);
  if (silence === undefined)
    return html`<p class="notice" role="status">${silenceNotices.unsilenced}</p>`;
  return undoBar({
    label: "Done",
    words: html`${words} Nothing new is sent until
      <time datetime="${isoTime(silence.until)}">${dayAndTime(silence.until)}</time>. Incidents
      still open and close.`,
    undo: may(reader, "responder") ? endForm(silence, `/${back}`, reader.formToken) : null,
    close: `/${back}`,
  });
}

/** Null if the word is of another form. */
export function manyOutcomeWords(notice: string): string | null {
  if (notice === "none") return "Nothing is selected: tick the boxes of monitors first.";
  if (notice === entered)
    return "Nothing is done yet: Enter does not say what. Press the button of what is to be done with the selected monitors.";
  if (notice === "unnamed")
    return "Nothing is changed: the label is empty. Type it, for example team, then press the button again.";
  if (notice === "unacknowledged")
    return "Nothing is acknowledged: no selected monitor has an open incident that waits for it.";
  if (notice === "row-unacknowledged")
    return "Nothing is acknowledged: this row has no open incident, or someone acknowledged it before.";
  if (notice === "unsilenced") return silenceNotices.unsilenced;
  if (notice === "late")
    return "It can no longer be undone: ten minutes are over, it was undone, or you did more since.";
  if (notice === "refused")
    return "Nothing is undone: the location is deleted, full, or managed by files. Change that, then press Undo again.";
  const [, word, done, left = "0", over = "0"] =
    /^(\w+)\.(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?$/.exec(notice) ?? [];
  const count = Number(done);
  const monitors = `${counted(count, "monitor")} ${count === 1 ? "is" : "are"}`;
  if (word === "files") return onlyOfFilesWords(count);
  if (word === "far")
    return `Nothing is moved: a move from ${counted(count, "other location")} at once cannot be undone. Select fewer monitors, then press Move again.`;
  if (word === "stopped")
    return `The move stopped in the middle: the database did not answer. ${monitors} at the location, and may still be at others. Press Move again to do the rest.${ofFilesWords(Number(left))}`;
  if (word === "over")
    return `Nothing is silenced, of ${counted(count, "monitor")}: ${silencedMost}`;
  if (word === "silence") return `${monitors} silenced.`;
  if (word === "created") return `${monitors} created.`;
  if (word === "unmade") return `Undone: ${monitors} deleted.`;
  if (word === "more") return `${monitors} still deleted.`;
  if (word === "undone")
    return `Undone: ${monitors} as before.${leftWords(Number(left))}${overWords(Number(over))}`;
  const act = manyActs.find((one) => one === word);
  if (act === undefined) return null;
  return `${monitors} ${deeds[act]}.${ofFilesWords(Number(left))}`;
}

const ofFilesWords = (left: number): string => {
  if (left === 0) return "";
  return left === 1
    ? " 1 monitor from files stays as it was: change it in the files."
    : ` ${counted(left, "monitor")} from files stay as they were: change them in the files.`;
};

const onlyOfFilesWords = (count: number): string =>
  count === 1
    ? "Nothing is changed: files manage the monitor that you selected. Change it in the files, or acknowledge or silence it here."
    : `Nothing is changed: files manage all ${counted(count, "monitor")} that you selected. Change them in the files, or acknowledge or silence them here.`;

/** An incident that closed while its monitor was paused is over, whatever is undone. */
export const overWords = (over: number): string =>
  over === 0
    ? ""
    : ` ${counted(over, "incident")} closed meanwhile and ${over === 1 ? "stays" : "stay"} closed. A monitor that still fails opens a new one.`;

const leftWords = (left: number): string =>
  left === 0
    ? ""
    : ` ${counted(left, "monitor")} ${left === 1 ? "stays" : "stay"} as now: changed or deleted since, or against a rule.`;
