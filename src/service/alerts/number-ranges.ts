/**
 * Whole numbers as `1-500 502`: those of one outage follow each other, so that thousands are short. A form posts a space as
 * one byte, and a comma as three.
 */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: { readonly from: number; to: number }[] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(" ");
}

interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** The ranges of such a text; empty if it is none. */
export function rangesIn(text: string): readonly NumberRange[] {
  const ranges = text.split(" ").map((range): NumberRange => {
    const [, first = "", last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range) ?? [];
    return { from: first === "" ? Number.NaN : Number(first), to: Number(last) };
  });
  return ranges.every(({ from, to }) => from <= to) ? ranges : [];
}

/** The numbers of such a text; null if it is none, or has more than `most`. */
export function numbersInRanges(text: string, most: number): readonly number[] | null {
  const numbers: number[] = [];
  const ranges = rangesIn(text);
  for (const { from, to } of ranges) {
    if (numbers.length + to - from >= most) return null;
    for (let number = from; number <= to; number += 1) numbers.push(number);
  }
  return ranges.length === 0 ? null : numbers;
}
