import { hashOf, mixed } from "#base/spread";

/**
 * A short word for a set of monitors, in any order. It travels with each heartbeat; it distinguishes two shares of one
 * location, and no more. `from` is that of another set: then it is of the monitors that are in one of the two alone, so that
 * a monitor more or less costs the same whatever the others are.
 */
export function shareDigest(monitorIds: readonly string[], from: string = none): string {
  let high = Number.parseInt(from.slice(0, 8), 16);
  let low = Number.parseInt(from.slice(8), 16);
  for (const id of monitorIds) {
    high ^= mixed(hashOf(id));
    low ^= mixed(hashOf(`again ${id}`));
  }
  return hex(high) + hex(low);
}

const none = "0".repeat(16);

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");
