import { callsOn, type Engine } from "#service/store/engine";
import type { MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { history } from "#service/store/verbs/history";

type ReadsOfOne = Pick<
  ResultStore,
  | "window"
  | "gaps"
  | "stretches"
  | "result"
  | "lastDetailed"
  | "buckets"
  | "days"
  | "sums"
  | "downtimes"
  | "medians"
>;

/**
 * Questions about the results of one monitor: while its database server is known to be away, they fail at once. Those
 * about several may need each server.
 */
export function readsOfOne(engine: Engine): ReadsOfOne {
  const calls = callsOn(engine)(history);
  const ask = async <R>(monitor: MonitorId, question: () => Promise<R>): Promise<R> => {
    const [outcome] = await engine.eachShare([monitor], question);
    if (outcome === undefined) return question();
    if (outcome.is === "failed") throw outcome.fault;
    return outcome.value;
  };
  const askFew = <R>(monitors: readonly MonitorId[], question: () => Promise<R>): Promise<R> => {
    const [only, ...others] = monitors;
    return only === undefined || others.length > 0 ? question() : ask(only, question);
  };
  return {
    window: (asked) => ask(asked.monitor, () => calls.window(asked)),
    gaps: (asked) => ask(asked.monitor, () => calls.gaps(asked)),
    stretches: (asked) => ask(asked.monitor, () => calls.stretches(asked)),
    result: (key) => ask(key.monitor, () => calls.result(key)),
    lastDetailed: (monitor, sort) => ask(monitor, () => calls.lastDetailed(monitor, sort)),
    buckets: (asked) => askFew(asked.monitors, () => calls.buckets(asked)),
    days: (asked) => askFew(asked.monitors, () => calls.days(asked)),
    sums: (asked) => askFew(asked.monitors, () => calls.sums(asked)),
    downtimes: (asked) => ask(asked.monitor, () => calls.downtimes(asked)),
    medians: (asked) => askFew(asked.monitors, () => calls.medians(asked)),
  };
}
