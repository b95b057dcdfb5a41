import { type Chart, type ChartMark, instant } from "#browser/chart-columns";

/**
 * What happens at an instant of a chart, each thing once: an incident has a mark for each of its parts. An instant that
 * stands for some time has all that happens in that; a single check (`length` 0) what went on as it was made.
 */
export const marksAt = (
  { marks }: Pick<Chart, "marks">,
  at: number,
  length: number,
): readonly ChartMark[] => {
  const found = marks.filter(({ from, to }) =>
    length === 0
      ? instant(from) <= at && at < instant(to)
      : instant(from) < at + length && instant(to) >= at,
  );
  return [...new Map(found.map((mark) => [mark.words, mark])).values()];
};
