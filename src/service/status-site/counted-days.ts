import * as pagesLimits from "#limits/pages-limits";
import { type CheckCounts, partialHours } from "#service/status-site/partial-hours";
import { hasWork, measuredDays } from "#service/status-site/measured-days";
import type { Span } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import type { MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { grainLength } from "#service/store/rollup";
import { after, type Millis, millis } from "#base/units";

/** The days of a monitor, and when there was planned work on it. */
interface PlannedDays {
  readonly monitor: MonitorId;
  readonly days: readonly MeasuredDay[];
  readonly planned: readonly Span[];
}

/**
 * What counts of the days of each monitor. Hours are read of days with work alone, of some monitors at a time: those of
 * all days and monitors of a large page would be gigabytes.
 */
export async function countedDays(
  results: Pick<ResultStore, "buckets" | "stretches">,
  all: readonly PlannedDays[],
): Promise<ReadonlyMap<MonitorId, readonly MeasuredDay[]>> {
  const worked = all.flatMap(({ monitor, days, planned }) =>
    days.filter(({ begin }) => hasWork(begin, planned)).map((day) => ({ monitor, day, planned })),
  );
  const counted = new Map<MeasuredDay, MeasuredDay>();
  for (const [from, own] of Map.groupBy(worked, ({ day }) => day.begin)) {
    const asked = {
      location: null,
      grain: "hour",
      from,
      to: after(from, grainLength.day),
    } as const;
    for (let first = 0; first < own.length; first += pagesLimits.workedDaysAtOnce) {
      const some = own.slice(first, first + pagesLimits.workedDaysAtOnce);
      const monitors = some.map(({ monitor }) => monitor);
      const buckets = await results.buckets({ ...asked, monitors });
      const hours = Map.groupBy(buckets, ({ monitor }) => monitor);
      for (const { monitor, day, planned } of some)
        for (const one of measuredDays([day], hours.get(monitor) ?? [], planned))
          counted.set(day, one);
    }
  }
  const known = new Map<MonitorId, readonly MeasuredDay[]>();
  for (const one of all) known.set(one.monitor, await withParts(results, one, counted));
  return known;
}

/** The days of a monitor; if no whole hour of them counts, the parts of hours that do. */
async function withParts(
  results: Pick<ResultStore, "stretches">,
  { monitor, days, planned }: PlannedDays,
  counted: ReadonlyMap<MeasuredDay, MeasuredDay>,
): Promise<readonly MeasuredDay[]> {
  const whole = days.map((day) => counted.get(day) ?? day);
  if (days.length === 0 || !whole.every(isUnknown)) return whole;
  const parts = await partialHours(results, monitor, planned);
  return days.map((day) => {
    const part = parts.find(({ begin }) => begin === day.begin);
    return part === undefined ? (counted.get(day) ?? day) : partOfDay(day, part);
  });
}

/** As much of what is known of a day, and of its downtime, as it has checks and failures in the part. */
function partOfDay(day: MeasuredDay, part: CheckCounts): MeasuredDay {
  const shareOf = (whole: Millis, some: number, all: number): Millis =>
    millis(all === 0 ? 0 : Math.round((whole * Math.min(some, all)) / all));
  return {
    ...part,
    known: shareOf(day.known, checksIn(part), checksIn(day)),
    down: shareOf(day.down, part.error, day.error),
  };
}

const checksIn = ({ success, degraded, error }: CheckCounts): number => success + degraded + error;

const isUnknown = (day: MeasuredDay): boolean => checksIn(day) === 0;
