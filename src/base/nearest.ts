/** The candidate that a person who wrote `word` most likely meant, or null when none is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.toLowerCase();
  // Beyond these lengths nothing that a person knows by name is meant, and the cost would grow with the square.
  if (wanted.length > wordCharsMax) return null;
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of candidates) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  if (best === null) return null;
  return best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : null;
}

const wordCharsMax = 64;

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours each count one. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current: number[] = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
