import * as pagesLimits from "#limits/pages-limits";
import { dayOf } from "#service/status-page/component-days";
import { type Span, without } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import type { MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { beginOf, grainLength } from "#service/store/rollup";
import type { Stretch } from "#service/store/stretch";
import { after, epochMillis, millis } from "#base/units";

/**
 * What the results of hours with planned work say outside of it. It is asked for a monitor of which nothing else is known, e.g.
 * one that is an hour old. How long it was down is not in it: its incidents say that exactly.
 */
export async function partialHours(
  results: Pick<ResultStore, "stretches">,
  monitor: MonitorId,
  planned: readonly Span[],
): Promise<readonly MeasuredDay[]> {
  const parts = planned
    .flatMap((one) => aroundOf(one))
    .flatMap((one) => without(one, planned))
    .toSorted((a, b) => b.from - a.from)
    .slice(0, pagesLimits.partialHoursRead);
  const seen: MeasuredDay[] = [];
  for (const { from, to } of parts) {
    const length = pagesLimits.partialHourStep;
    const stretches = await results.stretches({ monitor, location: null, from, to, length });
    seen.push(...stretches.map((one) => measured(one, to)));
  }
  return [...Map.groupBy(seen, ({ begin }) => begin).values()].map(added);
}

/** The hours in which a span begins and ends, up to it and from it on. */
const aroundOf = ({ from, to }: Span): readonly Span[] =>
  [
    { from: beginOf("hour", from), to: from },
    { from: to, to: after(beginOf("hour", to), grainLength.hour) },
  ].filter((one) => one.from < one.to);

const measured = ({ begin, success, degraded, error }: Stretch, to: number): MeasuredDay => ({
  begin: dayOf(begin),
  success,
  degraded,
  error,
  known: millis(Math.min(pagesLimits.partialHourStep, to - begin)),
  down: millis(0),
});

const added = (parts: readonly MeasuredDay[]): MeasuredDay => ({
  begin: epochMillis(Math.min(...parts.map(({ begin }) => begin))),
  success: sum(parts, ({ success }) => success),
  degraded: sum(parts, ({ degraded }) => degraded),
  error: sum(parts, ({ error }) => error),
  known: millis(sum(parts, ({ known }) => known)),
  down: millis(0),
});

const sum = (parts: readonly MeasuredDay[], of: (one: MeasuredDay) => number): number =>
  parts.reduce((total, one) => total + of(one), 0);
