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

/** Marks of the time that each incident, by its address, was down, cut to when checks of it failed. Those of all else stay. */
export function cutToFailing(
  marks: readonly ChartMark[],
  turns: ReadonlyMap<string, readonly SeenTurn[]>,
): readonly ChartMark[] {
  const isCut = ({ kind, address }: ChartMark): boolean =>
    kind === "error" && failingStretches(turns.get(address ?? "") ?? []).length > 0;
  const own = Map.groupBy(marks.filter(isCut), ({ address }) => address ?? "");
  const cut = [...own].map(([address, all]) =>
    all.flatMap((mark) => partsOf(mark, turns.get(address) ?? [])),
  );
  return [...marks.filter((mark) => !isCut(mark)), ...fewerMarks(cut, limits.chartMarksMax)];
}

const partsOf = (mark: ChartMark, turns: readonly SeenTurn[]): readonly ChartMark[] =>
  failingStretches(turns).flatMap(({ from, to }) => {
    const begin = epochMillis(Math.max(mark.from, from));
    const end = epochMillis(Math.min(mark.to, to ?? mark.to));
    return begin < end ? [{ ...mark, from: begin, to: end }] : [];
  });
