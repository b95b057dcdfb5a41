import type { Io } from "#cli/edge/io";
import { type Clock, systemClock } from "#base/clock";
import { seconds } from "#base/units";

/** Does long work; on a terminal a line says what and for how long, and goes with it. */
export async function whileWorking<T>(
  what: string,
  { stderr, interactive }: Pick<Io, "stderr" | "interactive">,
  work: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  if (!interactive) return work();
  const done = new AbortController();
  const line = showSeconds(what, stderr, { done: done.signal, clock });
  try {
    return await work();
  } finally {
    done.abort();
    await line;
  }
}

/** Work that is over within a second needs no line. */
async function showSeconds(
  what: string,
  stderr: Io["stderr"],
  { done, clock }: { readonly done: AbortSignal; readonly clock: Clock },
): Promise<void> {
  for (let count = 1; ; count += 1) {
    await clock.sleep(seconds(1), done);
    if (done.aborted) break;
    stderr.write(`\r\x1b[K${what}: ${count} s`);
  }
  stderr.write("\r\x1b[K");
}
