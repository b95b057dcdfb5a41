import type { Spool } from "#agent/spool/spool";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";

/** Watches a stop that reports, until it is disposed. */
interface TakingWatch extends AsyncDisposable {
  /** Aborts with the patience, or when the service has taken nothing for some seconds of what is on disk. */
  readonly end: AbortSignal;
}

export function watchTaking(spool: Spool, clock: Clock, patience: AbortSignal): TakingWatch {
  const silent = new AbortController();
  const over = new AbortController();
  const end = AbortSignal.any([patience, silent.signal]);
  const watching = whileTaken(spool, clock, AbortSignal.any([end, over.signal]));
  const ended = watching.then(() => silent.abort());
  return {
    end,
    [Symbol.asyncDispose]: () => {
      over.abort();
      return ended;
    },
  };
}

async function whileTaken(spool: Spool, clock: Clock, signal: AbortSignal): Promise<void> {
  let before = Infinity;
  while (!signal.aborted && (spool.size < before || !spool.durable)) {
    before = spool.size;
    await clock.sleep(limits.stopSilenceMax, signal);
  }
}
