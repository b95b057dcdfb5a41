import { nameRank } from "#base/name-rank";

/** Something that a text may name. */
export interface NamedItem {
  readonly words: string;
  /** Whether it is done with something that the text names, and not gone to. */
  readonly isAct?: boolean;
}

/**
 * What the text names best first. What can be done with something comes after all that is named, unless its own words begin
 * so.
 */
export function bestFirst<T extends NamedItem>(items: readonly T[], text: string): readonly T[] {
  const rankOf = ({ words, isAct = false }: NamedItem): number => {
    const rank = nameRank(words, text);
    return isAct && rank > 1 ? 6 : rank;
  };
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
