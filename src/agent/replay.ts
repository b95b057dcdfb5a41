import type { Report } from "#transport/report";
import type { Spool } from "#transport/spool";

/**
 * What goes to the service next: up to `max` reports, each monitor's in ascending slot order. Monitors with the fewest
 * waiting go first, so that after an outage one monitor's backlog delays no other's newest result.
 */
export function nextReports(spool: Spool, max: number): readonly Report[] {
  const next: Report[] = [];
  for (const [monitorId] of [...spool.waiting].toSorted(([, a], [, b]) => a - b)) {
    if (next.length >= max) break;
    next.push(...spool.oldestOf(monitorId, max - next.length));
  }
  return next;
}
