import type { Pace } from "#service/notify/provider";
import { after, between, type EpochMillis, millis } from "#base/units";

/**
 * A token bucket as one instant: when it would be full again (the generic cell rate algorithm). So replicas can share
 * one in a row of a table.
 */
export function takeToken(
  fullAt: EpochMillis,
  { burst, span }: Pace,
  now: EpochMillis,
): { readonly fullAt: EpochMillis; readonly waitsUntil: EpochMillis | null } {
  // A clock that was set back does not owe more than a whole bucket.
  const debt = Math.min(Math.max(0, between(now, fullAt)), burst * span);
  const room = burst * span - debt;
  if (room < span) return { fullAt, waitsUntil: after(now, millis(span - room)) };
  return { fullAt: after(now, millis(debt + span)), waitsUntil: null };
}
