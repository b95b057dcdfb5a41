/** Something that a text may name. */
export interface NamedItem {
  readonly words: string;
  /** Whether it is done with something that the text names, and not gone to. */
  readonly isAct?: boolean;
}

/**
 * What the text names best first, by the same rule as the service: its whole name, its beginning, words in order, words in any
 * order, and letters. What can be done with something comes after all that is named, unless its own words begin so.
 */
export function bestFirst<T extends NamedItem>(items: readonly T[], text: string): readonly T[] {
  const rankOf = ({ words, isAct = false }: NamedItem): number => {
    const rank = rankOfName(words, text);
    return isAct && rank > 1 ? 6 : rank;
  };
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

export function rankOfName(name: string, text: string): number {
  const [whole, asked] = [folded(name), folded(text)];
  if (whole === asked) return 0;
  if (whole.startsWith(asked)) return 1;
  const words = asked.split(" ");
  if (words.reduce((from, word) => wordEnd(whole, word, from), 0) >= 0) return 2;
  if (words.every((word) => wordEnd(whole, word, 0) >= 0)) return 3;
  return words.every((word) => whole.includes(word)) ? 4 : 5;
}

const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim().replaceAll(/\s+/g, " ");

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
