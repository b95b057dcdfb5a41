import { html, type Html } from "#web/page/html";
import type { KnownReader } from "#service/operator/page-request";
import { ownForm } from "#service/operator/form-fields";
import { type TrashKind, trashKinds } from "#service/store/trash/trash-store";

/** The kind of this name that can be put back; null if it cannot. */
export const trashKindOf = (kind: string): TrashKind | null =>
  trashKinds.find((known) => known === kind) ?? null;

/** What says in a form that its object is put back first: `page 3`. */
export const restoreField = "restore-first";

/** A button that puts back what was deleted, and leads back; null for a kind that cannot be. */
export function undoForm(
  reader: KnownReader,
  kind: string,
  ids: readonly (number | string)[],
  {
    words = "Undo",
    back = "",
    what = "",
  }: { readonly words?: string; readonly back?: string; readonly what?: string } = {},
): Html | null {
  if (trashKindOf(kind) === null || ids.length === 0) return null;
  return ownForm(
    "/undo",
    reader,
    html`<input type="hidden" name="kind" value="${kind}" />
      <input type="hidden" name="ids" value="${ids.join(" ")}" />
      ${back === "" ? null : html`<input type="hidden" name="back" value="${back}" />`}
      <button type="submit">
        ${words}${what === "" ? null : html`<span class="unseen">: ${what}</span>`}
      </button>`,
  );
}

/** An address that says what was just deleted, so that the page there offers to undo it. */
export const withUndo = (
  path: string,
  kind: TrashKind,
  ids: readonly (number | string)[],
): string => `${path}${path.includes("?") ? "&" : "?"}deleted=${[kind, ...ids].join(".")}`;

/** What a text of kind and ids names; null for every other text. */
export function deletedIn(
  words: readonly string[],
): { readonly kind: TrashKind; readonly ids: readonly number[] } | null {
  const [first, ...ids] = words;
  const kind = trashKinds.find((known) => known === first);
  if (kind === undefined || ids.length === 0) return null;
  return ids.every((id) => /^\d{1,15}$/.test(id)) ? { kind, ids: ids.map(Number) } : null;
}

/** How many of a kind were just put back, and how many were not. */
export interface RestoreCount {
  readonly kind: TrashKind;
  readonly count: number;
  readonly left: Readonly<Partial<Record<RestoreNote, number>>>;
}

/** Why something is not put back. */
export const restoreFaults = ["there", "gone", "taken", "owned", "full", "again"] as const;
export type RestoreFault = (typeof restoreFaults)[number];
/** What is said of some: those that are put back in part, too. */
const restoreNotes = ["there", "gone", "taken", "owned", "full", "again", "partly"] as const;
type RestoreNote = (typeof restoreNotes)[number];

/** An address that says so. */
export function withRestored(path: string, { kind, count, left }: RestoreCount): string {
  const words = restoreNotes.flatMap((note) =>
    left[note] === undefined ? [] : [note, left[note]],
  );
  return `${path}${path.includes("?") ? "&" : "?"}restored=${[kind, count, ...words].join(".")}`;
}

export function restoredIn(query: URLSearchParams): RestoreCount | null {
  const [, word, count, rest = ""] =
    /^(\w+)\.(\d{1,6})((?:\.[a-z]+\.\d{1,6})*)$/.exec(query.get("restored") ?? "") ?? [];
  const kind = trashKinds.find((known) => known === word);
  if (kind === undefined) return null;
  const left: Partial<Record<RestoreNote, number>> = {};
  for (const [, why, many] of rest.matchAll(/([a-z]+)\.(\d+)/g)) {
    const note = restoreNotes.find((known) => known === why);
    if (note !== undefined) left[note] = Number(many);
  }
  return { kind, count: Number(count), left };
}
