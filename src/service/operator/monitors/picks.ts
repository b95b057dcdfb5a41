import { pickedCharsMax } from "#limits/lines-limits";
import { causeLinesMax } from "#limits/pages-limits";
import { packed, unpacked } from "#service/operator/forms/packed-choices";
import { idsIn, seenField, seenWord } from "#service/operator/monitors/many-selection";
import type { OverviewRow } from "#service/operator/overview-rows";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

/** Which monitors are selected as a page opens: those that the last act was done with, so that another one can be. */
export interface Picks {
  readonly monitors: readonly PicturedMonitor[];
  /** The word of what a search found, of which all were selected; null if they were selected each by itself. */
  readonly search: string | null;
}

export const noPicks: Picks = { monitors: [], search: null };

/** The address where an act leads back to, with what it was done with; what is too long for an address is left out. */
export function withPicks(path: string, form: URLSearchParams): string {
  const seen = form.get(seenField) ?? "";
  const all = seen === "" ? "" : `${allMark}${seen}`;
  return withWords(path, form.has("all") ? all : packed(idsIn(form)));
}

/** The same after an act was undone: what it was done with is selected again. */
export const withPicked = (path: string, ids: readonly number[]): string =>
  withWords(path, packed(ids));

const withWords = (path: string, words: string): string =>
  words === "" || words.length > pickedCharsMax
    ? path
    : `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ picked: words }).toString()}`;

const allMark = "all.";

/** The same as a form has it that is shown again. */
export function picksOf(form: URLSearchParams, { monitors }: Pick<Picture, "monitors">): Picks {
  if (form.has("all")) return { monitors: [], search: form.get(seenField) };
  const ids = new Set<number>(idsIn(form));
  return { ...noPicks, monitors: monitors.filter(({ id }) => ids.has(id)) };
}

/** What the address says of that, as far as those monitors are still there. */
export function picksIn(query: URLSearchParams, { monitors }: Pick<Picture, "monitors">): Picks {
  const words = query.get("picked") ?? "";
  if (words === "" || words.length > pickedCharsMax) return noPicks;
  if (words.startsWith(allMark)) return { ...noPicks, search: words.slice(allMark.length) };
  const ids = new Set(unpacked(words));
  return { ...noPicks, monitors: monitors.filter(({ id }) => ids.has(id)) };
}

/** How the boxes of a list are as it opens. */
export interface BoxStates {
  /** How many the box of all is for. */
  readonly found: number;
  readonly isAll: boolean;
  readonly ids: ReadonlySet<number>;
  /** Those that stay selected though no row has a box for them. */
  readonly unshown: readonly PicturedMonitor[];
}

/** All of what is found is selected if it is what was found before. If each of it is selected by itself, it is not: more may be found. */
export function boxStates(
  { monitors, search }: Picks,
  found: readonly PicturedMonitor[],
  rows: readonly OverviewRow[],
): BoxStates {
  const isAll = search !== null && search === seenWord(found);
  const ids = isAll ? new Set(found.map(({ id }) => id)) : new Set(monitors.map(({ id }) => id));
  const shown = new Set(rows.flatMap((row) => boxedIn(row, ids)));
  const unshown = isAll ? [] : monitors.filter(({ id }) => !shown.has(id));
  return { found: found.length, isAll, ids, unshown };
}

/** Those that a row has a box for: that of a cause is for all of them, if all are selected. */
function boxedIn(row: OverviewRow, ids: ReadonlySet<number>): readonly number[] {
  if (row.kind === "monitor") return [row.monitor.id];
  const own = row.monitors.map(({ id }) => id);
  return own.every((id) => ids.has(id)) ? own : own.slice(0, causeLinesMax);
}
