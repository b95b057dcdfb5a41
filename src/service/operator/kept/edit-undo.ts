import { html, type Html } from "#web/page/html";
import { kindWords, pathOf } from "#service/operator/changes/changed-objects";
import { entriesSince } from "#service/operator/changes/overtaken-page";
import { KeptForms } from "#service/operator/kept-forms";
import { overWords, undoable } from "#service/operator/monitors/many-notice";
import { keepUndoing } from "#service/operator/monitors/many-undo";
import {
  auditedAs,
  type KnownReader,
  type PageContext,
  type PageRequest,
  withNotice,
} from "#service/operator/page-request";
import type { Basis } from "#service/store/audit/actor";
import type { MonitorId } from "#service/store/ids";

/*
 * What a form saved can be undone for a while, by whoever saved it. The former definition waits sealed, since it has
 * secrets, and no page has more of it than a word by which it is found.
 */

/** What can be undone so. */
const editedKinds = ["monitor", "channel", "location"] as const;
export type EditedKind = (typeof editedKinds)[number];

/** An object of these, and the version of it that a form is about to change. */
interface EditBasis extends Basis {
  readonly kind: EditedKind;
}

/** A save that can be undone. */
export interface Edit extends EditBasis {
  /** What it was before, by names of its kind. */
  readonly before: URLSearchParams;
}

/**
 * Keeps what a save has changed. The version that the save made is what an Undo takes back: if anyone else changed the
 * object at that moment, there is none. `isElsewhere`: something changed that is a part of other objects.
 */
export async function keepEdit(
  context: PageContext,
  reader: KnownReader,
  edit: Edit,
  isElsewhere = false,
): Promise<string | null> {
  const [own, ...others] = await entriesSince(context, edit);
  if (others.length > 0 || (own === undefined && !isElsewhere)) return null;
  const { kind, name } = auditedAs(reader);
  if (own !== undefined && (own.who.kind !== kind || own.who.name !== name)) return null;
  const step = new URLSearchParams(edit.before);
  step.set("edit", edit.kind);
  step.set("id", edit.id);
  step.set("version", String(own?.number ?? edit.version));
  return keepUndoing(new KeptForms(context.rooms), reader, [step]);
}

/** The same again from what was kept; null if it is of another act. */
export function editIn(step: URLSearchParams): Edit | null {
  const kind = editedKinds.find((one) => one === step.get("edit"));
  if (kind === undefined) return null;
  const [id, version] = [step.get("id") ?? "", Number(step.get("version"))];
  return { kind, id, version, before: step };
}

/** Where a form leads that has saved it. */
export const savedPath = (edit: EditBasis, notice: string, undo: string | null): string =>
  `${withNotice(editedPath(edit), notice)}${undo === null ? "" : `&undo=${undo}`}`;

/** What was saved, and a button that undoes it. */
export const savedNotice = (
  context: PageContext,
  request: Pick<PageRequest, "query" | "reader">,
  edit: Pick<Edit, "kind" | "id">,
  words: string,
): Promise<Html> =>
  undoable(context, request, words, {
    action: editUndoPath,
    back: html`<input type="hidden" name="back" value="${editedPath(edit)}" />`,
    close: editedPath(edit),
  });

/** What a page says of a save or of its Undo; null of any other notice. */
export async function editNotice(
  context: PageContext,
  request: Pick<PageRequest, "query" | "reader">,
  edit: Pick<Edit, "kind" | "id">,
  saved: string,
): Promise<Html | null> {
  const { query } = request;
  const words = query.get("notice") === "saved" ? saved : outcomeWords(query, edit.kind);
  return words === null ? null : savedNotice(context, request, edit, words);
}

export const editedPath = ({ kind, id }: Pick<Edit, "kind" | "id">): string =>
  pathOf({ kind, id }) ?? "/";

const editUndoPath = "/undo/edit";

/** What an Undo of an edit came to. */
const undoOutcomes = ["undone", "late", "changed", "owned", "refused"] as const;
type UndoOutcome = (typeof undoOutcomes)[number];

/** What became of it, and which monitors are checked again by that. */
export interface UndoneEdit {
  readonly outcome: UndoOutcome;
  readonly resumed?: readonly MonitorId[];
}

/** The word of it in an address; of incidents that closed meanwhile, how many. */
export const outcomeNotice = (outcome: UndoOutcome, closed = 0): string =>
  `edit-${outcome}${closed === 0 ? "" : `.${closed}`}`;

/** What is said of it on the object's page; null of any other notice. */
export function outcomeWords(query: URLSearchParams, kind: EditedKind): string | null {
  const [, word, closed = "0"] =
    /^edit-([a-z]+)(?:\.(\d{1,6}))?$/.exec(query.get("notice") ?? "") ?? [];
  const outcome = undoOutcomes.find((one) => one === word);
  if (outcome === undefined) return null;
  const words = wordsOf[outcome].replaceAll("{kind}", kindWords[kind]);
  return `${words}${overWords(Number(closed))}`;
}

const wordsOf: { readonly [O in UndoOutcome]: string } = {
  undone: "Undone: the {kind} is as it was before your change.",
  late: "It can no longer be undone: ten minutes are over, it was undone, or you did more since.",
  changed:
    "Nothing is undone: the {kind} was changed again after you saved it. The audit log of this {kind} says who did that.",
  owned:
    "Nothing is undone: files manage the {kind} since you saved it. Change it in the files, and apply them.",
  refused:
    "Nothing is undone: the {kind} as it was is refused now, for example because what it names is deleted. Press Edit to change it.",
};
