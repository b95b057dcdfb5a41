import { hoursDrawn } from "#limits/status-limits";
import * as pagesLimits from "#limits/pages-limits";
import { dayOf } from "#service/status-page/component-days";
import { overlap, type Span, within } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import type { MonitorId } from "#service/store/ids";
import { halfDown } from "#service/store/half-down";
import type { Bucket, ResultStore } from "#service/store/result-store";
import { beginOf, grainLength } from "#service/store/rollup";
import { after, between, type EpochMillis, millis } from "#base/units";

/** A monitor of a page, with its days and what was planned of it. */
interface HourlyMonitor {
  readonly monitor: MonitorId;
  readonly days: readonly MeasuredDay[];
  readonly planned: readonly Span[];
}

/** The newest hours of all monitors of a page that has data of today and yesterday alone; of an older page none are read. */
export async function measuredHours(
  results: Pick<ResultStore, "buckets">,
  all: readonly HourlyMonitor[],
  now: EpochMillis,
): Promise<ReadonlyMap<MonitorId, readonly MeasuredDay[]>> {
  const yesterday = after(dayOf(now), millis(-1 * grainLength.day));
  const isYoung = all.every(({ days }) => days.every(({ begin }) => begin >= yesterday));
  const known = new Map<MonitorId, readonly MeasuredDay[]>();
  if (!isYoung) return known;
  const from = after(beginOf("hour", now), millis(-hoursDrawn * grainLength.hour));
  for (let first = 0; first < all.length; first += pagesLimits.workedDaysAtOnce) {
    const some = all.slice(first, first + pagesLimits.workedDaysAtOnce);
    const monitors = some.map(({ monitor }) => monitor);
    const to = after(now, millis(1));
    const buckets = await results.buckets({ monitors, location: null, grain: "hour", from, to });
    const byMonitor = Map.groupBy(buckets, ({ monitor }) => monitor);
    for (const { monitor, planned } of some)
      known.set(monitor, hoursOf(byMonitor.get(monitor) ?? [], planned, now));
  }
  return known;
}

const hoursOf = (
  buckets: readonly Bucket[],
  planned: readonly Span[],
  now: EpochMillis,
): readonly MeasuredDay[] =>
  [...Map.groupBy(buckets, ({ begin }) => begin)].map(([begin, places]) =>
    hourOf({ from: begin, to: after(begin, grainLength.hour) }, places, planned, now),
  );

/** All locations together. The checks of an hour with planned work do not say which were outside of it: none of them count. */
function hourOf(
  hour: Span,
  places: readonly Bucket[],
  planned: readonly Span[],
  now: EpochMillis,
): MeasuredDay {
  const isPlanned = planned.some((one) => overlap(one, hour) > 0);
  const sum = (of: (one: Bucket) => number): number =>
    isPlanned ? 0 : places.reduce((total, one) => total + of(one), 0);
  const longest = Math.min(grainLength.hour, between(hour.from, now));
  const seen = Math.min(longest, Math.max(0, ...places.map(({ known }) => known)));
  const downs = isPlanned ? [] : places.flatMap(({ down }) => (down > 0 ? [down] : []));
  return {
    begin: hour.from,
    success: sum(({ success }) => success),
    degraded: sum(({ degraded }) => degraded),
    error: sum(({ error }) => error),
    known: millis(Math.max(0, seen - within(hour, planned))),
    down: millis(Math.min(longest, halfDown(places.length, downs))),
  };
}
