import { searchedAs } from "#base/searched-as";

/**
 * How well a typed text names something, the best first: 0 is its whole name, 1 its beginning, 2 beginnings of its words in
 * order, 3 in any order, 4 letters anywhere in it, and 5 what is found by something else, e.g. its target. Browsers load
 * this file, too: the box of Ctrl+K ranks there.
 */
export function nameRank(name: string, typed: string): number {
  const whole = inOneGap(name);
  const asked = inOneGap(typed);
  if (whole === asked) return 0;
  if (whole.startsWith(asked)) return 1;
  const words = asked.split(" ");
  if (words.reduce((from, word) => wordEnd(whole, word, from), 0) >= 0) return 2;
  if (words.every((word) => wordEnd(whole, word, 0) >= 0)) return 3;
  return words.every((word) => whole.includes(word)) ? 4 : 5;
}

const inOneGap = (text: string): string => searchedAs(text).trim().replaceAll(/\s+/g, " ");

/** Where this beginning of a word ends, from a place on; -1 if none begins so, or if there is no such place. */
function wordEnd(whole: string, word: string, from: number): number {
  for (
    let at = from < 0 ? -1 : whole.indexOf(word, from);
    at >= 0;
    at = whole.indexOf(word, at + 1)
  )
    if (at === 0 || !/[\p{L}\p{N}]/u.test(whole.charAt(at - 1))) return at + word.length;
  return -1;
}

/** The best of them first; those that are named equally well stay in their order. */
export const bestNamed = <T extends { readonly name: string }>(
  all: readonly T[],
  typed: string,
): readonly T[] =>
  all
    .map((one) => ({ one, rank: nameRank(one.name, typed) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
