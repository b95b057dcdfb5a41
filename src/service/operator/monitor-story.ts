import * as limits from "#limits/pages-limits";
import type { LatencyPoint } from "#web/page/chart/latency-chart";
import type { PhaseMeans } from "#web/page/chart/phase-areas";
import type { TimeSpan } from "#web/page/chart/time-axis";
import type { PageRooms } from "#service/operator/page-rooms";
import type { TimeRange } from "#service/operator/time-range";
import { quantile } from "#service/store/histogram";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Gap, ResultWithDetail, StoredResult, Stretch } from "#service/store/result-store";
import { mergeRollups } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, millis, type Millis } from "#base/units";

/** What is known of a monitor's past, over one range and at one location or all of them. */
export interface MonitorStory {
  readonly span: TimeSpan;
  readonly steps: readonly Step[];
  /** Null if phases are not kept for as long. */
  readonly phases: readonly PhaseMeans[] | null;
  /** Single results, of a short range. */
  readonly points: readonly LatencyPoint[];
  /** The newest results, newest first. */
  readonly newest: readonly StoredResult[];
  /** When nothing was learned, because a location itself was broken; the newest first. */
  readonly gaps: readonly Gap[];
  readonly lastFailed: ResultWithDetail | null;
  readonly lastPassed: ResultWithDetail | null;
}

/** What the results of one stretch add up to. */
export interface Step {
  readonly at: EpochMillis;
  readonly passed: number;
  readonly degraded: number;
  readonly failed: number;
  readonly p50: Millis | null;
  readonly p95: Millis | null;
}

interface StoryQuery {
  readonly monitor: MonitorId;
  readonly location: LocationId | null;
  readonly range: TimeRange;
  readonly now: EpochMillis;
}

/** Reads it; every part is bounded. */
export async function monitorStory({ store }: PageRooms, query: StoryQuery): Promise<MonitorStory> {
  const { monitor, location, range, now } = query;
  const to = after(now, millis(1));
  const from = epochMillis(now - range.length);
  const newestOf = (limit: number, since: EpochMillis) =>
    store.results.window({
      monitor,
      location,
      from: since,
      to,
      order: "newest first",
      cursor: null,
      skip: 0,
      limit,
    });
  const isShort = range.name === "1h";
  const [past, newest, points, gaps, lastFailed, lastPassed] = await Promise.all([
    pastOf(store, query, from, to),
    newestOf(limits.resultsListedMax, epochMillis(0)),
    isShort ? newestOf(limits.chartPointsMax, from) : null,
    store.results.gaps({ monitor, location, from, to }),
    store.results.lastDetailed(monitor, "failed"),
    store.results.lastDetailed(monitor, "passed"),
  ]);
  return {
    span: { from, to: now },
    ...past,
    points: (points?.results ?? []).toReversed().map(pointOf),
    newest: newest.results,
    gaps,
    lastFailed,
    lastPassed,
  };
}

type Past = Pick<MonitorStory, "steps" | "phases">;

async function pastOf(
  store: PageRooms["store"],
  { monitor, location, range }: StoryQuery,
  from: EpochMillis,
  to: EpochMillis,
): Promise<Past> {
  const { step } = range;
  if (range.from === "results") {
    const stretches = await store.results.stretches({ monitor, location, from, to, length: step });
    return { steps: stretches.map(stepOf), phases: stretches.map(phasesOf) };
  }
  const grain = range.from === "hours" ? "hour" : "day";
  const buckets = await store.results.buckets({ monitors: [monitor], location, grain, from, to });
  const groups = Map.groupBy(buckets, ({ begin }) => Math.floor(begin / step) * step);
  const steps = [...groups].map(([at, all]): Step => {
    const { success, degraded, error, latencies } = mergeRollups(all);
    const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
    return { at: epochMillis(at), passed: success, degraded, failed: error, p50, p95 };
  });
  return { steps, phases: null };
}

const stepOf = ({ begin, success, degraded, error, p50, p95 }: Stretch): Step => ({
  at: begin,
  passed: success,
  degraded,
  failed: error,
  p50,
  p95,
});

const phasesOf = ({ begin, success, degraded, error, phases }: Stretch): PhaseMeans => ({
  at: begin,
  results: success + degraded + error,
  means: {
    dns: phases.get("dns") ?? none,
    connect: phases.get("connect") ?? none,
    proxy: phases.get("proxy") ?? none,
    tls: phases.get("tls") ?? none,
    write: phases.get("write") ?? none,
    wait: phases.get("wait") ?? none,
    receive: phases.get("receive") ?? none,
  },
});
const none = millis(0);

/** The error bar of a result is in its detail only, which most do not have. */
const pointOf = ({ slot, status, latency }: StoredResult): LatencyPoint => ({
  slot,
  status,
  latency,
  uncertain: false,
  errorBar: none,
});
