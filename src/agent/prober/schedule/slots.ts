import * as limits from "#limits/prober-limits";
import { spread } from "#base/spread";
import { epochMillis, type EpochMillis, type Millis } from "#base/units";

/*
 * When a monitor is due, by the wall clock alone: slot = offset(id) + n × period. The offset is hashed from the id, so
 * the slots are the same on every instance and after every restart, and monitors spread over the period.
 */

/** The first slot strictly after `now`. */
export function nextSlot(id: string, period: Millis, now: EpochMillis): EpochMillis {
  const offset = Math.floor(spread(id) * period);
  const turns = Math.floor((now - offset) / period) + 1;
  return epochMillis(offset + turns * period);
}

/** The last slot before `now`, or at it. */
export const slotBefore = (id: string, period: Millis, now: EpochMillis): EpochMillis =>
  epochMillis(nextSlot(id, period, now) - period);

/**
 * When a monitor that was not running before is first due: soon, so that a person sees it work, but not in the same
 * instant as every other. It is its next slot where that is soon enough. The instant is hashed as slots are, so that
 * agents that begin together check it at the same instant, and the service counts one of them.
 */
export function firstSlot(id: string, period: Millis, now: EpochMillis): EpochMillis {
  const regular = nextSlot(id, period, now);
  if (regular - now <= limits.firstCheckWithin) return regular;
  return nextSlot(`first ${id}`, limits.firstCheckWithin, now);
}

/** The check that a monitor begins with on this agent: when it is due, and the slot that its result is of. */
export interface FirstCheck {
  readonly due: EpochMillis;
  readonly at: EpochMillis;
}

/**
 * How a monitor begins whose newest result at the location is of the slot `newest`; null if there is none. A monitor
 * that another agent ran continues at its next slot. Where the slot before that has no result it is made up for soon,
 * under its own name: if the other agent has checked it after all, the service counts one of the two.
 */
export function opening(
  id: string,
  period: Millis,
  now: EpochMillis,
  newest: EpochMillis | null,
): FirstCheck {
  const regular = nextSlot(id, period, now);
  const soon = firstSlot(id, period, now);
  if (newest === null) return { due: soon, at: soon };
  const behind = epochMillis(regular - period);
  return newest >= behind || soon === regular
    ? { due: regular, at: regular }
    : { due: soon, at: behind };
}
