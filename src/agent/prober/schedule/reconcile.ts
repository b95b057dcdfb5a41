import type { Monitor } from "#check/monitor";

/** What has to be done so that what runs becomes what is wanted. */
export interface Plan {
  readonly start: readonly Monitor[];
  /** Same id, other content: it takes effect on the next slot. */
  readonly change: readonly Monitor[];
  readonly stop: readonly string[];
  /** How many stay as they are, with their rhythm. */
  readonly kept: number;
}

/** The difference between the monitors that run, by id, and those that are wanted. */
export function reconcile(running: ReadonlyMap<string, Monitor>, wanted: readonly Monitor[]): Plan {
  const { start, change } = differences(running, wanted);
  const ids = new Set(wanted.map(({ id }) => id));
  const stop = [...running.keys()].filter((id) => !ids.has(id));
  return { start, change, stop, kept: wanted.length - start.length - change.length };
}

/** The same where only what changed is known: all others stay. */
export function reconcileChanges(
  running: ReadonlyMap<string, Monitor>,
  changed: readonly Monitor[],
  removed: readonly string[],
): Plan {
  const { start, change } = differences(running, changed);
  const wanted = new Set(changed.map(({ id }) => id));
  const stop = [...new Set(removed)].filter((id) => running.has(id) && !wanted.has(id));
  return { start, change, stop, kept: running.size - change.length - stop.length };
}

function differences(
  running: ReadonlyMap<string, Monitor>,
  wanted: readonly Monitor[],
): Pick<Plan, "start" | "change"> {
  const start: Monitor[] = [];
  const change: Monitor[] = [];
  for (const monitor of wanted) {
    const current = running.get(monitor.id);
    if (current === undefined) start.push(monitor);
    else if (!sameMonitor(current, monitor)) change.push(monitor);
  }
  return { start, change };
}

/** Monitors are plain values, made by one function with its fields in one order. */
const sameMonitor = (a: Monitor, b: Monitor): boolean => JSON.stringify(a) === JSON.stringify(b);
