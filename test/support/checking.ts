import type { Clock } from "#clock";
import type { Logger } from "#log";
import { LocalChecker } from "#prober/local-checker";
import type { Prober } from "#prober/prober";

/** Checks in the test's own thread, on its clock. */
export const checkerWith = (
  prober: Pick<Prober, "probe">,
  clock: Clock,
  log: Logger,
  concurrency = 200,
): LocalChecker => new LocalChecker({ prober, clock, log, concurrency, chance: () => 0.5 });
