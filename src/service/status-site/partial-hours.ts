import * as pagesLimits from "#limits/pages-limits";
import { partsOfHoursRead } from "#limits/status-limits";
import { dayOf } from "#service/status-page/component-days";
import { type Span, without } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import type { MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { beginOf, grainLength } from "#service/store/rollup";
import type { Stretch } from "#service/store/stretch";
import { after, epochMillis } from "#base/units";

/** How many checks of a day ended how. */
export type CheckCounts = Omit<MeasuredDay, "known" | "down">;

/**
 * The results of hours with planned work that lie outside of it. They are asked for of a monitor of which nothing else is
 * known, e.g. one that is an hour old.
 */
export async function partialHours(
  results: Pick<ResultStore, "stretches">,
  monitor: MonitorId,
  planned: readonly Span[],
): Promise<readonly CheckCounts[]> {
  // Two in one hour leave three parts of it, none of which counts twice.
  const hours = new Set(
    planned.flatMap(({ from, to }) => [beginOf("hour", from), beginOf("hour", to)]),
  );
  const parts = [...hours]
    .toSorted((a, b) => b - a)
    .slice(0, pagesLimits.partialHoursRead)
    .flatMap((from) => without({ from, to: after(from, grainLength.hour) }, planned))
    .toSorted((a, b) => b.from - a.from)
    .slice(0, partsOfHoursRead);
  const seen: CheckCounts[] = [];
  for (const { from, to } of parts) {
    const length = pagesLimits.partialHourStep;
    const stretches = await results.stretches({ monitor, location: null, from, to, length });
    seen.push(...stretches.map(counted));
  }
  return [...Map.groupBy(seen, ({ begin }) => begin).values()].map(added);
}

const counted = ({ begin, success, degraded, error }: Stretch): CheckCounts => ({
  begin: dayOf(begin),
  success,
  degraded,
  error,
});

const added = (parts: readonly CheckCounts[]): CheckCounts => ({
  begin: epochMillis(Math.min(...parts.map(({ begin }) => begin))),
  success: sum(parts, ({ success }) => success),
  degraded: sum(parts, ({ degraded }) => degraded),
  error: sum(parts, ({ error }) => error),
});

const sum = (parts: readonly CheckCounts[], of: (one: CheckCounts) => number): number =>
  parts.reduce((total, one) => total + of(one), 0);
