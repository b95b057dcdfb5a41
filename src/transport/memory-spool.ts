import * as limits from "#limits";
import type { Result } from "#result";
import type { Spool } from "#transport/spool";

/** A spool that lives and dies with the process, bounded by a number of results. */
export function memorySpool(sizeMax: number = limits.memorySpoolResultsMax): Spool {
  // A Map keeps the order in which results came, which within a monitor is that of its slots.
  const waiting = new Map<string, Result>();
  let givenUp = 0;
  return {
    add: (result) => {
      waiting.set(result.id, result);
      for (const id of waiting.keys()) {
        if (waiting.size <= sizeMax) break;
        waiting.delete(id);
        givenUp += 1;
      }
    },
    oldest: (max) => waiting.values().take(max).toArray(),
    settle: (ids) => {
      for (const id of ids) waiting.delete(id);
    },
    get size() {
      return waiting.size;
    },
    get oldestSlot() {
      return waiting.values().next().value?.slot ?? null;
    },
    get givenUp() {
      return givenUp;
    },
  };
}
