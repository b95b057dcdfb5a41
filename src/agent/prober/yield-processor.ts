import os from "node:os";
import type { Logger } from "#base/log";

/** How much the main thread gives way to the probes; 19 would starve it on a busy machine. */
const niceness = 10;

/**
 * Has the calling thread give way to those that probe, so that its own work colours no timing. On Linux, priority
 * belongs to the thread: those that were started before keep theirs.
 */
export function yieldProcessor(log: Logger): void {
  try {
    os.setPriority(niceness);
  } catch (error) {
    log.debug("could not lower the main thread's priority", { "error.message": String(error) });
  }
}
