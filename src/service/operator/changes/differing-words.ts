/** So much of what is alike stays before the first difference, so that a person knows the text again. */
const aheadMax = 12;

/** Two long values that begin alike, from shortly before their first difference on: cut at their ends, both would look the same. */
export function differingWords(
  before: string,
  after: string,
  charsMax: number,
): readonly [before: string, after: string] {
  const first = alikeUntil(before, after);
  if (before === after || first < charsMax - aheadMax) return [before, after];
  // At a word, and in a text without words in no letter.
  const space = before.lastIndexOf(" ", first - aheadMax) + 1;
  const begin = space > first - charsMax / 2 ? space : letterAt(before, first - aheadMax);
  return [`…${before.slice(begin)}`, `…${after.slice(begin)}`];
}

function alikeUntil(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Half of a letter of two units is none. */
const letterAt = (text: string, at: number): number =>
  /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) ? at - 1 : at;
