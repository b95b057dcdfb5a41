import * as limits from "#limits/pages-limits";
import { fewerMarks } from "#service/operator/charts/fewer-marks";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { epochMillis, type EpochMillis } from "#base/units";

type SeenTurn = Pick<LocatedTurn, "at" | "location" | "status">;

interface FailingStretch {
  readonly from: EpochMillis;
  /** Null while it lasts. */
  readonly to: EpochMillis | null;
}

/** When half of the locations that saw a monitor saw it fail, as its downtime is counted; turns are in the order of time. */
export function failingStretches(turns: readonly SeenTurn[]): readonly FailingStretch[] {
  const stretches: FailingStretch[] = [];
  const failing = new Map<number, boolean>();
  let from: EpochMillis | null = null;
  for (const { at, location, status } of turns) {
    failing.set(location, status === "error");
    const isDown = 2 * [...failing.values()].filter(Boolean).length >= failing.size;
    if (isDown && from === null) from = at;
    if (isDown || from === null) continue;
    stretches.push({ from, to: at });
    from = null;
  }
  return from === null ? stretches : [...stretches, { from, to: null }];
}

/** Marks of the time that an incident was down, cut to when checks of it failed. Those of all else stay. */
export function cutToFailing(
  marks: readonly ChartMark[],
  turns: readonly SeenTurn[],
  address: string,
): readonly ChartMark[] {
  const stretches = failingStretches(turns);
  if (stretches.length === 0) return marks;
  const isOwn = (mark: ChartMark): boolean => mark.kind === "error" && mark.address === address;
  const cut = marks.filter(isOwn).flatMap((mark) =>
    stretches.flatMap(({ from, to }) => {
      const begin = epochMillis(Math.max(mark.from, from));
      const end = epochMillis(Math.min(mark.to, to ?? mark.to));
      return begin < end ? [{ ...mark, from: begin, to: end }] : [];
    }),
  );
  return [...marks.filter((mark) => !isOwn(mark)), ...fewerMarks([cut], limits.chartMarksMax)];
}
