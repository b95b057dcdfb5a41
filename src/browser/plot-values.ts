/** What the times below a plot take, in pixels. */
export const timesHeight = 32;

/** Of one line, a value for each instant; null is a gap, undefined an instant of another line. */
type PlotValues = readonly (number | null | undefined)[];

/** Whether any line has a value: a chart of failures alone has no scale. */
export const hasValue = (lines: readonly { readonly values: PlotValues }[]): boolean =>
  lines.some(({ values }) => values.some((value) => (value ?? null) !== null));

/** Where a value has a gap on both sides, so that no line reaches it. */
export const loneValues = (values: PlotValues): number[] =>
  [...values.keys()].filter(
    (index) =>
      (values[index] ?? null) !== null &&
      (values[index - 1] ?? null) === null &&
      (values[index + 1] ?? null) === null,
  );
