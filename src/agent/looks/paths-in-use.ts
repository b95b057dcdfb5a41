import { noPathCounts, type PathCounts } from "#agent/looks/path-counts";
import { PathJudgement } from "#agent/looks/path-judgement";
import { PathNews } from "#agent/looks/path-news";
import { PathWatch } from "#agent/looks/path-watch";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { VantageWatch } from "#agent/looks/vantage-watch";
import { noPathMemory, type PathMemory } from "#agent/vantage/path-memory";
import type { Clock } from "#base/clock";
import type { KnownPath } from "#check/known-path";
import type { Monitor } from "#check/monitor";
import type { BeatPath } from "#transport/control-plane";

interface PathParts {
  readonly place?: Pick<PlaceSources, "askPath" | "evidence"> | null;
  readonly pathMemory?: PathMemory;
  readonly clock: Clock;
  readonly chance?: () => number;
  readonly checker: { readonly monitors: ReadonlyMap<string, Monitor> };
  readonly targets?: { readonly rules: object };
}

/** What an agent has of the paths to its targets. */
export interface PathsInUse {
  /** Judges results, and adds what changed of a path; null if nothing judges them. */
  readonly judging: Pick<VantageWatch, "judge"> | null;
  /** Runs what judges, and traces. */
  run(signal: AbortSignal): Promise<void>;
  /** What the service does not know yet, and that it has taken that. */
  due(): readonly BeatPath[];
  heard(): void;
  /** What it knows of the path to a monitor's target; null if nothing. */
  pathOf(monitorId: string): KnownPath | null;
  readonly counts: PathCounts;
}

/** No paths if the settings do not want it, or this machine cannot trace them. */
export function pathsInUse(vantage: VantageWatch | null, parts: PathParts): PathsInUse {
  const { place, pathMemory, clock, chance, checker, targets } = parts;
  const ask = place?.askPath ?? null;
  if (vantage === null || place === undefined || place === null || ask === null)
    return {
      judging: vantage,
      run: async (signal) => vantage?.run(signal),
      due: () => [],
      heard: () => {},
      pathOf: () => null,
      counts: noPathCounts,
    };
  const watch = new PathWatch({
    ask,
    memory: pathMemory ?? noPathMemory,
    clock,
    chance: chance ?? Math.random,
    runs: (monitorId) => checker.monitors.has(monitorId),
    rules: () => targets?.rules ?? null,
  });
  const news = new PathNews(watch, place.evidence === "full");
  return {
    judging: new PathJudgement(vantage, watch),
    run: async (signal) => void (await Promise.all([vantage.run(signal), watch.run(signal)])),
    due: () => news.due(),
    heard: () => news.heard(),
    pathOf: (monitorId) => watch.pathOf(monitorId),
    get counts() {
      return watch.counts;
    },
  };
}
