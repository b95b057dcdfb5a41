import * as limits from "#limits/process-limits";
import { type Millis, millis } from "#base/units";

/**
 * How long to wait after the `failures`th failure in a row, one or more: 500 ms, doubling up to `max`. Half of it is
 * chance, so that agents that lost the same service do not all come back in the same instant. `chance` is in [0, 1).
 */
export function backoff(failures: number, max: Millis, chance: number): Millis {
  const grown = limits.backoffFirst * 2 ** Math.min(failures - 1, 30);
  const whole = Math.min(grown, max);
  return millis(Math.round(whole / 2 + (whole / 2) * chance));
}
