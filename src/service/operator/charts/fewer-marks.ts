import type { ChartMark } from "#web/page/chart/chart-marks";
import { between, epochMillis } from "#base/units";

/**
 * The marks of some incidents, in order, and at most `most` of them if there are no more incidents than that. Of one with
 * very many stretches those that are nearest to each other become one, so that it neither loses a part of itself nor
 * takes the room of the others.
 */
export function fewerMarks(
  incidents: readonly (readonly ChartMark[])[],
  most: number,
): readonly ChartMark[] {
  const each = partsEach(
    incidents.map(({ length }) => length),
    most,
  );
  return incidents.flatMap((marks) => joined(marks, each));
}

/** How many parts each may have, so that all of them are within the limit: at least one. */
function partsEach(counts: readonly number[], most: number): number {
  const sumOf = (each: number): number =>
    counts.reduce((sum, count) => sum + Math.min(count, each), 0);
  let each = 1;
  while (each < most && sumOf(each + 1) <= most) each += 1;
  return each;
}

function joined(marks: readonly ChartMark[], most: number): readonly ChartMark[] {
  const left = [...marks];
  while (left.length > most) {
    const gaps = left.slice(1).map((mark, index) => gapBetween(left[index] ?? mark, mark));
    const at = gaps.indexOf(Math.min(...gaps));
    const [one, next] = left.slice(at, at + 2);
    if (one === undefined || next === undefined) break;
    left.splice(at, 2, union(one, next));
  }
  return left;
}

const gapBetween = (one: ChartMark, next: ChartMark): number => between(one.to, next.from);

/** As bad as the worse of both. */
const union = (one: ChartMark, next: ChartMark): ChartMark => ({
  ...(next.kind === "error" ? next : one),
  from: one.from,
  to: epochMillis(Math.max(one.to, next.to)),
});
