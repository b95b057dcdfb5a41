import { type ChartMark, instant } from "#browser/chart-columns";

/** The name of a mark, where it is in a plot. */
export interface MarkLabel {
  readonly kind: ChartMark["kind"];
  readonly words: string;
  /** From the left edge of the plot, in pixels of a page. */
  readonly left: number;
  /** From 0 at the top. */
  readonly row: number;
}

interface LabelledPlot {
  readonly from: number;
  readonly to: number;
  /** In pixels of a page. */
  readonly width: number;
  readonly widthOf: (words: string) => number;
}

/** Pixels from the edge of a band to its label, and between two labels. */
const space = 6;
/** Pixels from one row to the next. */
export const rowHeight = 14;
/** More rows would take a plot's room from its curves. */
const rowsMax = 3;

/**
 * Each name once, in the first row that has room for it. One that is wider than its band is left out: the key of the chart
 * and the pointer say it.
 */
export function markLabels(
  marks: readonly ChartMark[],
  { from, to, width, widthOf }: LabelledPlot,
): readonly MarkLabel[] {
  const ends: number[] = [];
  const labels: MarkLabel[] = [];
  const at = (time: number): number =>
    (Math.min(Math.max(time, from), to) - from) * (width / (to - from));
  for (const mark of marks.toSorted((a, b) => instant(a.from) - instant(b.from))) {
    const { kind, words } = mark;
    const left = at(instant(mark.from)) + space;
    const wide = widthOf(words);
    const fits = wide > 0 && left + wide + space < at(instant(mark.to));
    if (!fits || labels.some((one) => one.words === words)) continue;
    const free = ends.findIndex((end) => end + space <= left);
    const row = free === -1 ? ends.length : free;
    if (row >= rowsMax) continue;
    ends[row] = left + wide;
    labels.push({ kind, words, left, row });
  }
  return labels;
}

/** How many pixels at the top of a plot they take. */
export const roomOf = (labels: readonly MarkLabel[]): number =>
  labels.length === 0 ? 0 : (Math.max(...labels.map(({ row }) => row)) + 1) * rowHeight + space;
