import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { LocalChecker } from "#agent/prober/local-checker";
import type { Prober } from "#agent/prober/prober";

/** Checks in the test's own thread, on its clock. */
export const checkerWith = (
  prober: Pick<Prober, "probe">,
  clock: Clock,
  log: Logger,
  concurrency = 200,
): LocalChecker => new LocalChecker({ prober, clock, log, concurrency, chance: () => 0.5 });
