import * as limits from "#limits/pages-limits";
import { type EchoSpread, fineLatency, sumOfEchoes } from "#check/echo-spread";
import type { EchoValue } from "#web/page/chart/echo-band";
import type { LatencyPoint } from "#web/page/chart/latency-chart";
import type { PhaseMeans } from "#web/page/chart/phase-areas";
import type { TimeSpan } from "#web/page/chart/time-axis";
import type { PageRooms } from "#service/operator/page-rooms";
import { isOfSingles, type TimeRange } from "#service/operator/charts/time-range";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Gap, ResultWithDetail, StoredResult, Window } from "#service/store/result-store";
import type { Stretch } from "#service/store/stretch";
import { beginOf, latencyAt, mergeRollups } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, millis, type Millis, type Nanos } from "#base/units";

/** What is known of a monitor's past, over one range and at one location or all of them. */
export interface MonitorStory {
  readonly span: TimeSpan;
  readonly steps: readonly Step[];
  /** Null if phases are not kept for as long. */
  readonly phases: readonly PhaseMeans[] | null;
  /** Single results, of a short range; none if there are more than a chart has room for: then its steps are drawn. */
  readonly points: readonly StoryPoint[];
  /** Of pings; null of every other kind, and of what lies too far back. */
  readonly echoes: EchoStory | null;
  /** The newest results, newest first. */
  readonly newest: readonly StoredResult[];
  /** When nothing was learned, because a location itself was broken; the newest first. */
  readonly gaps: readonly Gap[];
  readonly lastFailed: ResultWithDetail | null;
  readonly lastPassed: ResultWithDetail | null;
}

/** A single result, and which location it is of. */
interface StoryPoint extends LatencyPoint {
  readonly location: number;
  /** The code of its failure; null if it passed. */
  readonly failure: string | null;
}

interface EchoStory {
  readonly values: readonly EchoValue[];
  readonly sent: number;
  readonly received: number;
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
  /** The location that it is compared with; null: with none. */
  readonly other: LocationId | null;
  readonly range: TimeRange;
  readonly now: EpochMillis;
}

/** Reads it; every part is bounded. */
export async function monitorStory({ store }: PageRooms, query: StoryQuery): Promise<MonitorStory> {
  const { monitor, location, range, now } = query;
  const { from } = range;
  const to = after(range.to, millis(1));
  const all = { from: epochMillis(0), to: after(now, millis(1)), limit: limits.resultsListedMax };
  const [past, newest, singles, gaps, lastFailed, lastPassed] = await Promise.all([
    pastOf(store, query),
    newestOf(store, { monitor, location, ...all }),
    singlesOf(store, query),
    store.results.gaps({ monitor, location, from, to }),
    store.results.lastDetailed(monitor, "failed"),
    store.results.lastDetailed(monitor, "passed"),
  ]);
  return {
    span: { from, to: range.to },
    ...past,
    points: (singles?.all ?? []).map(pointOf),
    echoes: singles === null ? past.echoes : storyOf(singles.own.map(seenAt)),
    newest: newest.results,
    gaps,
    lastFailed,
    lastPassed,
  };
}

const newestOf = (
  store: PageRooms["store"],
  asked: Pick<Window, "monitor" | "location" | "from" | "to" | "limit">,
): ReturnType<PageRooms["store"]["results"]["window"]> =>
  store.results.window({ ...asked, order: "newest first", cursor: null, skip: 0 });

/** Single results, oldest first; with those of the location that it is compared with. */
interface Singles {
  readonly own: readonly StoredResult[];
  readonly all: readonly StoredResult[];
}

/** Null if they have no room: those of a part alone would leave the failures before it without a cross. */
async function singlesOf(
  store: PageRooms["store"],
  { monitor, location, other, range }: StoryQuery,
): Promise<Singles | null> {
  if (!isOfSingles(range)) return null;
  const { from } = range;
  const to = after(range.to, millis(1));
  const asked = { monitor, from, to, limit: limits.chartPointsMax };
  const found = await Promise.all([
    newestOf(store, { ...asked, location }),
    ...(other === null ? [] : [newestOf(store, { ...asked, location: other })]),
  ]);
  const [own = [], compared = []] = found.map(({ results }) => results.toReversed());
  const all = [...own, ...compared].toSorted((a, b) => a.slot - b.slot);
  const isWhole = found.every(({ next }) => next === null) && all.length <= limits.chartPointsMax;
  return isWhole ? { own, all } : null;
}

/** Of a monitor whose results cannot be read. */
export const unreadStory = ({ from, to }: TimeSpan): MonitorStory => ({
  span: { from, to },
  steps: [],
  phases: null,
  points: [],
  echoes: null,
  newest: [],
  gaps: [],
  lastFailed: null,
  lastPassed: null,
});

/** One ping, or all of one stretch of time. */
interface EchoesAt {
  readonly at: EpochMillis;
  readonly echoes: EchoSpread | null;
}

const seenAt = ({ slot, echoes }: StoredResult): EchoesAt => ({ at: slot, echoes });

/** Null if there is no ping. */
function storyOf(all: readonly EchoesAt[]): EchoStory | null {
  const sum = sumOfEchoes(all.map(({ echoes }) => echoes));
  if (sum === null) return null;
  const values = all.flatMap(({ at, echoes }): EchoValue[] => {
    if (echoes === null) return [];
    const { sent, received, least, most } = echoes;
    const inMillis = (took: Nanos): Millis => millis(took / 1e6);
    const round =
      least === null || most === null ? null : { least: inMillis(least), most: inMillis(most) };
    return [{ at, round, lost: 1 - received / sent }];
  });
  return { values, sent: sum.sent, received: sum.received };
}

type Past = Pick<MonitorStory, "steps" | "phases" | "echoes">;

/** What the results of a range add up to, at one location or all of them. */
export async function pastOf(
  store: PageRooms["store"],
  { monitor, location, range }: Pick<StoryQuery, "monitor" | "location" | "range">,
): Promise<Past> {
  const { step, from, source } = range;
  const to = after(range.to, millis(1));
  if (source === "results") {
    const stretches = await store.results.stretches({ monitor, location, from, to, length: step });
    return {
      steps: stretches.map(stepOf),
      phases: stretches.map(phasesOf),
      echoes: storyOf(stretches.map(({ begin, echoes }) => ({ at: begin, echoes }))),
    };
  }
  const grain = source === "hours" ? "hour" : "day";
  const asked = { monitors: [monitor], location, grain, from: beginOf(grain, from), to } as const;
  const buckets = await store.results.buckets(asked);
  const groups = Map.groupBy(buckets, ({ begin }) => Math.floor(begin / step) * step);
  const steps = [...groups].map(([at, all]): Step => {
    const rollup = mergeRollups(all);
    const { success, degraded, error } = rollup;
    const [p50, p95] = [latencyAt(rollup, 0.5), latencyAt(rollup, 0.95)];
    return { at: epochMillis(at), passed: success, degraded, failed: error, p50, p95 };
  });
  return { steps, phases: null, echoes: null };
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
  passed: success + degraded,
  failed: error,
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
const pointOf = (result: StoredResult): StoryPoint => ({
  location: result.location,
  failure: result.failure?.code ?? null,
  slot: result.slot,
  status: result.status,
  latency: fineLatency(result),
  uncertain: false,
  errorBar: none,
});
