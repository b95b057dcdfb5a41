import { setFlagsFromString } from "node:v8";
import * as limits from "#limits/process-limits";

/*
 * The young generation of a heap: what lives until it is full is copied, and what outlives two copies goes to the old
 * generation. Of an agent with many checks under way most of them outlive 1 MiB, which is all that a small one needs.
 */

/** Whether the process was started with young generations that stay at 1 MiB, as bin/picket and the image do. */
export const isYoungKeptSmall = (): boolean => process.execArgv.includes("--max-semi-space-size=1");

/**
 * Threads that begin from now on may have a larger young generation. With a `--semi-space-growth-factor` of 1 it grows only
 * where more outlives it than it has room for, and with 2 it doubles. V8 reads the one flag when a thread begins, and the
 * other whenever it would let the generation grow.
 */
export function letYoungGrowLater(): void {
  if (!isYoungKeptSmall()) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString(`--max-semi-space-size=${limits.youngGenerationMax / 2 ** 20}`);
}
