import { setFlagsFromString } from "node:v8";
import { isYoungKeptSmall } from "#machine/young-generation";
import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import { millisToNanos } from "#base/units";

/** How large the process is, which decides how far its heaps may grow. */
type ProcessSize = "small" | "middle" | "large";

/** What decides how far heaps grow, and what holds them to it. */
interface HeapControl {
  /** Bytes of the whole process in memory. */
  readonly resident: () => number;
  /** From now on V8 has heaps grow as fits a process of this size. */
  readonly fit: (size: ProcessSize) => void;
}

/**
 * Of a process that was started with heaps that are kept small: looks again and again how large it is, until it is disposed,
 * and has them grow as fits that. While it is small, a full collection of each 2 MB would cost a quarter of a check. With
 * thousands of monitors every megabyte counts. With a hundred thousand, heaps that are kept small cost more than the checks:
 * each collection marks 200 MB.
 */
export function fitHeapGrowth(clock: Clock, control: HeapControl | null = ownHeap()): Disposable {
  const over = new AbortController();
  if (control !== null) void lookUntil(clock, control, over.signal);
  return { [Symbol.dispose]: () => over.abort() };
}

async function lookUntil(clock: Clock, control: HeapControl, over: AbortSignal): Promise<void> {
  const started = clock.monotonic() + millisToNanos(limits.programStartsWithin);
  const isStarting = (): boolean => clock.monotonic() < started;
  while (!over.aborted) {
    const resident = control.resident();
    if (resident >= limits.heapsLargeFrom) control.fit("large");
    // Until then it is as the process was started.
    else if (!isStarting()) control.fit(resident < limits.heapsGrowBelow ? "small" : "middle");
    await clock.sleep(isStarting() ? limits.heapsLookedAtFirst : limits.heapsLookedAtEvery, over);
  }
}

/** Null if whoever started the process left V8's heaps to V8. */
function ownHeap(): HeapControl | null {
  const isKeptSmall = process.execArgv.includes("--optimize-for-size");
  if (!isKeptSmall && !isYoungKeptSmall()) return null;
  return {
    resident: () => process.memoryUsage.rss(),
    fit: (size) => {
      if (isKeptSmall)
        setFlagsFromString(size === "small" ? "--no-optimize-for-size" : "--optimize-for-size");
      const isLarge = size === "large";
      setFlagsFromString(`--heap-growing-percent=${isLarge ? limits.largeHeapGrowthPercent : 0}`);
      setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 2 : 1}`);
    },
  };
}
