import { setFlagsFromString } from "node:v8";
import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";

/** What decides how far heaps grow, and what holds them to it. */
interface HeapControl {
  /** Bytes of the whole process in memory. */
  readonly resident: () => number;
  /** From now on V8 collects early and gives memory back, or lets each heap grow as it does by itself. */
  readonly favor: (favored: "size" | "speed") => void;
}

/**
 * Of a process that was started with `--optimize-for-size`: looks again and again how large it is, until it is disposed, and
 * lets its heaps grow while it is small. A full collection of each 2 MB costs a quarter of a check with 500 monitors, and
 * with thousands every megabyte counts.
 */
export function fitHeapGrowth(clock: Clock, control: HeapControl | null = ownHeap()): Disposable {
  const over = new AbortController();
  if (control !== null) void lookUntil(clock, control, over.signal);
  return { [Symbol.dispose]: () => over.abort() };
}

async function lookUntil(clock: Clock, control: HeapControl, over: AbortSignal): Promise<void> {
  await clock.sleep(limits.programStartsWithin, over);
  while (!over.aborted) {
    control.favor(control.resident() < limits.heapsGrowBelow ? "speed" : "size");
    await clock.sleep(limits.heapsLookedAtEvery, over);
  }
}

/** Null if whoever started the process left V8's heaps to V8. */
function ownHeap(): HeapControl | null {
  if (!process.execArgv.includes("--optimize-for-size")) return null;
  return {
    resident: () => process.memoryUsage.rss(),
    favor: (favored) =>
      setFlagsFromString(favored === "size" ? "--optimize-for-size" : "--no-optimize-for-size"),
  };
}
