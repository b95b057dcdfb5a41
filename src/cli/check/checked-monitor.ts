import type { RunnableMonitor } from "#check/monitor";

/** A monitor that `picket check` runs. */
export interface CheckedMonitor extends RunnableMonitor {
  /** Its name in a monitors file, else the target as it may be shown. */
  readonly called: string;
  /** The target as it may be shown. */
  readonly shown: string;
}
