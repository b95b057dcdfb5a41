import type { Slot } from "#agent/prober/schedule/scheduler";
import type { Monitor } from "#check/monitor";
import type { Result } from "#check/result";
import { between, millis, type Millis } from "#base/units";
import { type Report, reportOf } from "#wire/report";

/** A decided check, its monitor as it was then, and how late it began; null for one that was never tried. */
export interface DecidedCheck {
  readonly result: Result;
  /** What the service gets of it. */
  readonly report: Report;
  readonly monitor: Monitor;
  readonly lateness: Millis | null;
  /** How long ago it was decided: it may have waited to cross between threads. */
  readonly age: Millis;
}

/**
 * Lateness counts from when a check was due. The slot that names the result may lie far before that, where the check
 * makes up for one.
 */
export function decidedOf(
  result: Result,
  { monitor, due }: Pick<Slot, "monitor" | "due">,
): DecidedCheck {
  const [first] = result.attempts;
  // Below zero only if the clock was set back in between.
  const lateness = first === undefined ? null : millis(Math.max(0, between(due, first.startedAt)));
  return { result, report: reportOf(result), monitor, lateness, age: millis(0) };
}
