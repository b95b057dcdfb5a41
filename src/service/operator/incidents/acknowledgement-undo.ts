import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import { seeOther } from "#service/edge/page-answer";
import { numberRanges, numbersInRanges } from "#service/alerts/number-ranges";
import { inParts } from "#service/operator/incidents/acknowledged-parts";
import { KeptForms } from "#service/operator/kept-forms";
import { undoable } from "#service/operator/monitors/many-notice";
import { endUndoing, keepUndoing, undoingIn } from "#service/operator/monitors/many-undo";
import {
  actorOf,
  type KnownReader,
  type OperatorForm,
  type PageContext,
  type PageRequest,
  wantedPath,
} from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { epochMillis, type EpochMillis } from "#base/units";

/* Incidents that one press acknowledged are as before by another, on whichever page that was, for a while. */

/** What one press acknowledged. */
export interface TogetherTaken {
  readonly numbers: readonly number[];
  /** How many of them no one had acknowledged. */
  readonly count: number;
  readonly at: EpochMillis;
}

/** Where a form leads that has acknowledged some; `left` are those that one press has no room for. */
export async function withAcknowledged(
  path: string,
  { rooms }: Pick<PageContext, "rooms">,
  reader: KnownReader,
  { taken: { numbers, count, at }, left = 0 }: AcknowledgingAct,
): Promise<string> {
  const act = { numbers: numberRanges(numbers), at: `${at}`, by: actorOf(reader) };
  const undo = await keepUndoing(new KeptForms(rooms), reader, [new URLSearchParams(act)]);
  return withWord(path, `done.${count}.${left}`, undo ?? "");
}

interface AcknowledgingAct {
  readonly taken: TogetherTaken;
  readonly left?: number;
}

function withWord(path: string, word: string, undo = ""): string {
  const words = new URLSearchParams({ [field]: word, ...(undo === "" ? {} : { undo }) });
  return `${path}${path.includes("?") ? "&" : "?"}${words.toString()}`;
}

const field = "acknowledged";
const undoPath = "/incidents/acknowledge/undo";

/** `/incidents/acknowledge/undo`: what one press acknowledged is so no more, but for what someone acknowledged since. */
export const acknowledgementUndoForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge\/undo$/,
  act: async ({ rooms, pictures }, { form, reader }) => {
    const back = wantedPath(form.get("back"));
    const kept = new KeptForms(rooms);
    const undo = form.get("undo") ?? "";
    const [act] = (await undoingIn(kept, reader, undo)) ?? [];
    const numbers = numbersInRanges(act?.get("numbers") ?? "", acknowledgedTogetherMax);
    if (act === undefined || numbers === null) return seeOther(withWord(back, "late"));
    const made = { at: epochMillis(Number(act.get("at"))), by: act.get("by") ?? "" };
    const { incidents } = rooms.store.alerts;
    const now = rooms.clock.wall();
    const count = await inParts(numbers, (part) =>
      incidents.takeBackEach(part, made, now, actorOf(reader)),
    );
    pictures.outdate();
    // A database that fails before leaves the word: another press does the rest.
    await endUndoing(kept, reader, undo);
    return seeOther(withWord(back, `undone.${count}`));
  },
};

/** What one press acknowledged, by a page's address, and what takes it back; null if nothing was. */
export async function acknowledgedNotice(
  context: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  pathname: string,
): Promise<Html | null> {
  const words = wordsOf(query.get(field) ?? "");
  if (words === null || !may(reader, "responder")) return null;
  const close = backTo(pathname, query);
  const back = html`<input type="hidden" name="back" value="${close}" />`;
  return undoable(context, { query, reader }, words, { action: undoPath, back, close });
}

function wordsOf(word: string): string | null {
  if (word === "late")
    return "It can no longer be undone: ten minutes are over, it was undone, or you did more since.";
  const [, deed, some, more = "0"] = /^(done|undone)\.(\d{1,6})(?:\.(\d{1,6}))?$/.exec(word) ?? [];
  if (deed === undefined) return null;
  const count = Number(some);
  if (deed === "undone") return undoneWords(count);
  const are = `${counted(count, "incident")} ${count === 1 ? "is" : "are"} acknowledged`;
  return `${are}: no reminders follow until one is worse or opens again.${leftWords(Number(more))}`;
}

function undoneWords(count: number): string {
  if (count === 0)
    return "Nothing is undone: these incidents are closed, or someone changed their acknowledgement since.";
  const are = `${counted(count, "incident")} ${count === 1 ? "is" : "are"}`;
  return `Undone: ${are} not acknowledged, as before. Reminders follow again.`;
}

const leftWords = (left: number): string =>
  left === 0
    ? ""
    : ` ${grouped(left)} more ${left === 1 ? "waits" : "wait"}: press Acknowledge again.`;

/** The same page, without what it says of the acknowledgement or of another form. */
function backTo(pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of [field, "undo", "notice"]) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest.toString()}`;
}
