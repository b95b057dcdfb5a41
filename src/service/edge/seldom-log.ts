import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { LogFields, Logger } from "#base/log";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/**
 * A log in which the same error stands once a minute, with how often it came since. Callers come again and again while
 * the disk is full, and the log may lie on that disk.
 */
export function seldomLog(log: Logger, clock: Clock): Logger {
  const logged = new Map<string, { readonly at: Nanos; since: number }>();
  const error = (message: string, fields: LogFields = {}): void => {
    const what = `${message}: ${fields["error.message"] ?? ""}`;
    const now = clock.monotonic();
    const last = logged.get(what);
    if (last !== undefined && nanosToMillis(nanos(now - last.at)) < limits.sameErrorLoggedEvery) {
      last.since += 1;
      return;
    }
    if (logged.size >= limits.errorsRemembered) logged.clear();
    logged.set(what, { at: now, since: 0 });
    const since = last?.since ?? 0;
    log.error(message, since === 0 ? fields : { ...fields, "times since the last line": since });
  };
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.info(message, fields),
    warn: (message, fields) => log.warn(message, fields),
    error,
  };
}
