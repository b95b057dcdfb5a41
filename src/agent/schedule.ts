import * as limits from "#limits";
import { epochMillis, type EpochMillis, type Millis } from "#units";

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

/**
 * When a monitor that was not running before is first due: soon, so that a person sees it work, but not in the same
 * instant as every other. It is its next slot where that is soon enough.
 */
export function firstSlot(id: string, period: Millis, now: EpochMillis): EpochMillis {
  const regular = nextSlot(id, period, now);
  if (regular - now <= limits.firstCheckWithin) return regular;
  // Strictly after now: an instant that has begun cannot be met any more.
  return epochMillis(now + 1 + Math.floor(spread(`first ${id}`) * (limits.firstCheckWithin - 1)));
}

/** A number in [0, 1) that depends on the text alone (FNV-1a, then the finaliser of MurmurHash3 to mix short ids). */
export function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
