import * as limits from "#limits";
import type { Report } from "#transport/report";
import type { Spool } from "#transport/spool";

/**
 * What goes to the service next: up to `max` reports, each monitor's in ascending slot order. Monitors with the fewest
 * waiting go first, so that after an outage a backlog delays no other monitor's newest result. Monitors that are
 * `held` wait for another time.
 */
export function nextReports(
  spool: Spool,
  max: number,
  held: (monitorId: string) => boolean = () => false,
): readonly Report[] {
  const next: Report[] = [];
  let bytes = 0;
  for (const [monitorId] of [...spool.waiting].toSorted(([, a], [, b]) => a - b)) {
    if (next.length >= max) break;
    if (held(monitorId)) continue;
    for (const report of spool.oldestOf(monitorId, max - next.length)) {
      bytes += bytesOf(report);
      if (bytes > limits.ingestBatchBytesMax && next.length > 0) return next;
      next.push(report);
    }
  }
  return next;
}

/** About: what is large in a report is the body of a degraded response and its headers. */
function bytesOf({ message: { result } }: Report): number {
  const large = result.case === "http" ? result.value.body.length + result.value.headers.length : 0;
  return limits.reportBytesUsual + large;
}
