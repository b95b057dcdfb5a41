import * as limits from "#limits";
import type { Report } from "#transport/report";
import type { Spool } from "#transport/spool";

/** A spool that lives and dies with the process, bounded by a number of reports. */
export function memorySpool(sizeMax: number = limits.memorySpoolResultsMax): Spool {
  // Maps keep the order in which reports came, which within a monitor is that of its slots.
  const all = new Map<string, Report>();
  const byMonitor = new Map<string, Map<string, Report>>();
  let outOfRoom = 0;
  const forget = (id: string): void => {
    const report = all.get(id);
    if (report === undefined) return;
    all.delete(id);
    const others = byMonitor.get(report.monitorId);
    others?.delete(id);
    if (others?.size === 0) byMonitor.delete(report.monitorId);
  };
  return {
    add: (report) => {
      all.set(report.id, report);
      const others = byMonitor.getOrInsertComputed(report.monitorId, () => new Map());
      others.set(report.id, report);
      for (const id of all.keys()) {
        if (all.size <= sizeMax) break;
        forget(id);
        outOfRoom += 1;
      }
    },
    get waiting() {
      return new Map(byMonitor.entries().map(([id, { size }]) => [id, size]));
    },
    oldestOf: (monitorId, max) => byMonitor.get(monitorId)?.values().take(max).toArray() ?? [],
    settle: (ids) => ids.forEach(forget),
    save: () => {},
    get size() {
      return all.size;
    },
    get oldestSlot() {
      return all.values().next().value?.slot ?? null;
    },
    get givenUp() {
      return { age: 0, room: outOfRoom };
    },
  };
}
