import { monitorFields } from "#agent/checks/monitor-log-fields";
import type { Slot } from "#agent/schedule/scheduler";
import type { Logger } from "#log";
import type { Monitor } from "#check/monitor";
import type { Result } from "#check/result";
import { between, millis, type Millis } from "#units";

/** A decided check, its monitor as it was then, and how late it began; null for one that was never tried. */
export interface Decided {
  readonly result: Result;
  readonly monitor: Monitor;
  readonly lateness: Millis | null;
}

/** Takes a result in as soon as it is decided. Each sink gets every result once; none is waited for. */
export type ResultSink = (decided: Decided) => void;

/**
 * Lateness counts from when a check was due. The slot that names the result may lie far before that, where the check
 * makes up for one.
 */
export function decidedOf(result: Result, { monitor, due }: Slot): Decided {
  const [first] = result.attempts;
  // Below zero only where the clock was set back in between.
  const lateness = first === undefined ? null : millis(Math.max(0, between(due, first.startedAt)));
  return { result, monitor, lateness };
}

/** A line of the log for each check. */
export const logSink =
  (log: Logger): ResultSink =>
  ({ result, monitor }) =>
    log.debug("checked", {
      ...monitorFields(monitor),
      slot: result.slot,
      status: result.status,
      latency: result.latency,
      "error.type": result.failure?.code,
    });
