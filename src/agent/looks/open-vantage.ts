import type { PlaceSources } from "#agent/looks/place-sources";
import { VantageWatch } from "#agent/looks/vantage-watch";
import type { Checker } from "#agent/prober/checker";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";

interface VantageTools {
  readonly place?: PlaceSources | null;
  readonly clock: Clock;
  readonly log: Logger;
  readonly checker: Checker;
}

/** What knows whether an agent's own place is in order; null if it has nothing to learn that from. */
export function openVantage(tools: VantageTools, changed: () => void): VantageWatch | null {
  const { place, clock, log, checker } = tools;
  if (place === undefined || place === null) return null;
  const runs = (id: string): boolean => checker.monitors.has(id);
  return new VantageWatch({ sources: place, clock, log, runs, changed });
}
