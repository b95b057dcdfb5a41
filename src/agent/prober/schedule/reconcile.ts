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
  const start: Monitor[] = [];
  const change: Monitor[] = [];
  for (const monitor of wanted) {
    const current = running.get(monitor.id);
    if (current === undefined) start.push(monitor);
    else if (!sameMonitor(current, monitor)) change.push(monitor);
  }
  const ids = new Set(wanted.map(({ id }) => id));
  const stop = [...running.keys()].filter((id) => !ids.has(id));
  return { start, change, stop, kept: wanted.length - start.length - change.length };
}

/** Monitors are plain values, made by one function with its fields in one order. */
const sameMonitor = (a: Monitor, b: Monitor): boolean => JSON.stringify(a) === JSON.stringify(b);
