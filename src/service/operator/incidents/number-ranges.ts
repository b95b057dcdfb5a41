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

/** The numbers of such a text; null if it is none, or has more than `most`. */
export function numbersInRanges(text: string, most: number): readonly number[] | null {
  const numbers: number[] = [];
  for (const range of text.split(" ")) {
    const [, first = "", last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range) ?? [];
    if (first === "" || Number(last) < Number(first)) return null;
    if (numbers.length + Number(last) - Number(first) >= most) return null;
    for (let number = Number(first); number <= Number(last); number += 1) numbers.push(number);
  }
  return numbers;
}
