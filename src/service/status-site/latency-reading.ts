import { dayLength } from "#web/page/chart/calendar";
import {
  type LatencyFacts,
  type LatencyFigures,
  type LatencyStep,
  shares,
} from "#service/status-page/latency-facts";
import type { PageFacts } from "#service/status-page/page-facts";
import { periodsOf } from "#service/status-page/public-monitor";
import type { MonitorId } from "#service/store/ids";
import type { Bucket, ResultStore } from "#service/store/result-store";
import { beginOf, latencyAt, mergeRollups } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, hours, millis } from "#base/units";

/** Reads how fast a monitor answered, from the rollups of its hours and days. */
export async function readLatency(
  results: Pick<ResultStore, "buckets">,
  monitor: MonitorId,
  { now, definition }: Pick<PageFacts, "now" | "definition">,
): Promise<LatencyFacts> {
  const shown = definition.configuration.days;
  const today = beginOf("day", now);
  const daysAgo = (days: number): EpochMillis => epochMillis(today - days * dayLength);
  const asked = { monitors: [monitor], location: null, to: after(now, millis(1)) };
  // Whole hours, so that none of them is older than a day.
  const firstHour = epochMillis(Math.ceil((now - hours(24)) / hours(1)) * hours(1));
  const [hourly, daily] = await Promise.all([
    results.buckets({ ...asked, grain: "hour", from: firstHour }),
    results.buckets({ ...asked, grain: "day", from: daysAgo(shown - 1) }),
  ]);
  const since = (days: number): readonly Bucket[] =>
    daily.filter(({ begin }) => begin >= daysAgo(days - 1));
  const periods = periodsOf(shown);
  return {
    hours: stepsOf(hourly),
    days: stepsOf(daily),
    lately: figuresOf(hourly),
    windows: periods.map((days) => ({ days, ...figuresOf(since(days)) })),
    places: [...Map.groupBy(since(Math.min(...periods)), ({ location }) => location)]
      .toSorted(([a], [b]) => a - b)
      .map(([, own]) => figuresOf(own)),
  };
}

const stepsOf = (buckets: readonly Bucket[]): readonly LatencyStep[] =>
  [...Map.groupBy(buckets, ({ begin }) => begin)].map(([begin, own]) => ({
    begin,
    ...figuresOf(own),
  }));

function figuresOf(buckets: readonly Bucket[]): LatencyFigures {
  const rollup = mergeRollups(buckets);
  const { success, degraded, error } = rollup;
  return {
    checks: success + degraded + error,
    failed: error,
    quantiles: shares.map(({ share }) => latencyAt(rollup, share)),
  };
}
