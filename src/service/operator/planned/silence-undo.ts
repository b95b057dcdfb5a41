import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { seeOther } from "#service/edge/page-answer";
import { KeptForms } from "#service/operator/kept-forms";
import { undoable } from "#service/operator/monitors/many-notice";
import { endUndoing, keepUndoing, undoingIn } from "#service/operator/monitors/many-undo";
import {
  type KnownReader,
  type OperatorForm,
  type PageContext,
  type PageRequest,
  wantedPath,
} from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Silence } from "#service/alerting/silence";
import { epochMillis, type EpochMillis } from "#base/units";

/* What was done with a silence is said on whichever page it was done, and its end can be put back there for a while. */

/** An end that was moved: where it is now, and where it was before. */
interface EndMove {
  readonly id: number;
  readonly seen: EpochMillis;
  readonly to: EpochMillis;
}

/** Where a form leads that has made a silence. */
export const withSilence = (path: string, id: number): string => withWord(path, `made.${id}`);

/** Where a form leads that has ended a silence or put off its end, which can be undone. */
export async function withEndMove(
  path: string,
  deed: "ended" | "longer",
  { rooms }: PageContext,
  reader: KnownReader,
  { id, seen, to }: EndMove,
): Promise<string> {
  const move = new URLSearchParams({ id: `${id}`, seen: `${seen}`, to: `${to}` });
  const undo = await keepUndoing(new KeptForms(rooms), reader, [move]);
  return withWord(path, `${deed}.${id}`, undo ?? "");
}

function withWord(path: string, word: string, undo = ""): string {
  const words = new URLSearchParams({ [field]: word, ...(undo === "" ? {} : { undo }) });
  return `${path}${path.includes("?") ? "&" : "?"}${words.toString()}`;
}

const field = "silence-is";

/** `/silences/undo`: the end is where it was, unless it has another one meanwhile. */
export const silenceUndoForm: OperatorForm = {
  role: "responder",
  path: /^\/silences\/undo$/,
  act: async ({ rooms }, { form, reader }) => {
    const back = wantedPath(form.get("back"));
    const kept = new KeptForms(rooms);
    const undo = form.get("undo") ?? "";
    const [move] = (await undoingIn(kept, reader, undo)) ?? [];
    if (move === undefined) return seeOther(withWord(back, "late"));
    const [id, seen, to] = ["id", "seen", "to"].map((name) => Number(move.get(name)));
    const end = { seen: epochMillis(seen ?? 0), to: epochMillis(to ?? 0) };
    if (end.to <= rooms.clock.wall()) return seeOther(withWord(back, "over"));
    const isDone = await rooms.store.alerts.silences.putBack(id ?? 0, end);
    // A database that fails before leaves the word: another press does it.
    await endUndoing(kept, reader, undo);
    return seeOther(withWord(back, isDone ? `undone.${id}` : "meanwhile"));
  },
};

/** What was just done with a silence, by a page's address, and what takes it back; null if nothing was. */
export async function silenceNotice(
  context: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  pathname: string,
): Promise<Html | null> {
  const [, word = "", id] =
    /^(made|ended|longer|undone|late|over|meanwhile)(?:\.(\d{1,15}))?$/.exec(
      query.get(field) ?? "",
    ) ?? [];
  if (word === "" || !may(reader, "responder")) return null;
  const { store, clock } = context.rooms;
  const lasting = await store.alerts.silences.list(clock.wall());
  const words = wordsOf(word, lasting.find((one) => String(one.id) === id) ?? null);
  const close = backTo(pathname, query);
  const back = html`<input type="hidden" name="back" value="${close}" />`;
  return undoable(context, { query, reader }, words, { action: "/silences/undo", back, close });
}

/** Until when it lasts is said with its day; of one that is over by now, only that. */
function wordsOf(word: string, lasting: Silence | null): Html {
  if (word === "late")
    return html`It can no longer be undone: ten minutes are over, it was undone, or you did more
    since.`;
  if (word === "meanwhile")
    return html`Nothing is undone: the silence has another end since. All are listed under
      <a href="/maintenances">Maintenance</a>.`;
  if (word === "over") return html`Nothing is undone: the silence would have ended already by now.`;
  if (lasting === null) return html`The silence is over: what lasts is sent.`;
  const until = minuteOf(lasting.until);
  if (word === "longer") return html`Extended: nothing new is sent until ${until}.`;
  if (word === "undone") return html`Undone: nothing new is sent until ${until}, as before.`;
  return html`Silenced: nothing new is sent until ${until}. Incidents still open and close.`;
}

/** The same page, without what it says of the silence or of another form. */
function backTo(pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of [field, "undo", "notice"]) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest.toString()}`;
}
