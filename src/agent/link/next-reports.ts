import type { Report } from "#wire/report";
import type { Spool } from "#agent/spool/spool";
import type { Bytes } from "#base/units";

/** How much may go with one call. */
interface ReplayRoom {
  readonly max: number;
  /** Limit on results of monitors that have a backlog. */
  readonly backlogMax: number;
  readonly bytesMax: Bytes;
}

interface NextReports {
  readonly reports: readonly Report[];
  /** How many of them are backlog. */
  readonly backlog: number;
  /** Whether the call has no room for more. */
  readonly full: boolean;
}

/**
 * What goes to the service next, each monitor's in ascending slot order. Monitors with the fewest waiting go first, so
 * that after an outage no monitor's backlog delays another's newest result. Monitors in `apart` are left out.
 */
export function nextReports(
  spool: Spool,
  { max, backlogMax, bytesMax }: ReplayRoom,
  apart: { has(monitorId: string): boolean },
): NextReports {
  const reports: Report[] = [];
  let backlog = 0;
  let bytes = 0;
  for (const [count, monitorIds] of byCount(spool, apart))
    for (const monitorId of monitorIds) {
      const room = Math.min(max - reports.length, count > 1 ? backlogMax - backlog : Infinity);
      if (room <= 0) return { reports, backlog, full: reports.length >= max };
      for (const report of spool.oldestOf(monitorId, Math.min(room, count))) {
        bytes += report.payload.byteLength;
        // One that is too large by itself goes by itself.
        if (bytes > bytesMax && reports.length > 0) return { reports, backlog, full: true };
        reports.push(report);
        if (count > 1) backlog += 1;
      }
    }
  return { reports, backlog, full: reports.length >= max };
}

/** The monitors by how many results wait of each, the fewest first. Few counts are many monitors': no sort of all. */
function byCount(
  spool: Spool,
  apart: { has(monitorId: string): boolean },
): readonly (readonly [number, readonly string[]])[] {
  const counts = new Map<number, string[]>();
  for (const [monitorId, count] of spool.waiting)
    if (!apart.has(monitorId)) counts.getOrInsertComputed(count, () => []).push(monitorId);
  return [...counts].toSorted(([a], [b]) => a - b);
}
