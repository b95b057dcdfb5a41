import { createHash } from "node:crypto";
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

/** The word that replicas of the release before have for the same set, in its order: agents go on to name a share by it. */
export const olderShareDigest = (monitorIds: readonly string[]): string =>
  older.getOrInsertComputed(monitorIds, () =>
    createHash("sha256").update(monitorIds.join("\n")).digest("base64url").slice(0, 12),
  );

const older = new WeakMap<readonly string[], string>();

const none = "0".repeat(16);

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");
