import * as limits from "#limits/service-limits";
import * as vantageLimits from "#limits/vantage-limits";
import type { Logger } from "#base/log";
import type { SteadyClock } from "#base/steady-clock";
import { epochMillis, type EpochMillis, type Nanos, nanos, nanosToMillis } from "#base/units";

/** Between which instants a result may lie, and whether that can be relied on. */
export interface ArrivalBounds {
  readonly oldest: EpochMillis;
  readonly latest: EpochMillis;
  /** No agent's clock agrees with ours: what lies outside may be right, so its agent is to keep it. */
  readonly isDoubtful: boolean;
}

/** What is older would be forgotten at once; what is later would be the newest until its instant has come. */
export const arrivalBounds = (clock: SteadyClock): ArrivalBounds => ({
  oldest: epochMillis(Math.max(0, clock.withoutSteps - limits.resultsKeptFor)),
  latest: epochMillis(clock.latest + limits.resultAheadMax),
  isDoubtful: false,
});

/**
 * Whether this machine's clock can be believed against that of an agent: while the clock of any agent agrees with it. A
 * machine that starts without NTP may be hours behind, and all its agents seem to be ahead.
 */
export class AgentClocks {
  readonly #clock: SteadyClock;
  readonly #log: Logger;
  /** When a clock agreed last. */
  #agreedAt: Nanos | null = null;
  #isWarned = false;

  constructor(clock: SteadyClock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** An agent says what time it is; gives the time here, of two while this machine's clock is being set. */
  heard(sentAt: EpochMillis): EpochMillis {
    const here = this.#clock.nearestTo(sentAt);
    if (Math.abs(sentAt - here) > vantageLimits.clockSkewMax) return here;
    this.#agreedAt = this.#clock.monotonic();
    if (this.#isWarned)
      this.#log.info("an agent's clock agrees with this machine's again: its results are taken");
    this.#isWarned = false;
    return here;
  }

  bounds(): ArrivalBounds {
    const now = this.#clock.monotonic();
    const agreedAt = this.#agreedAt;
    const isDoubtful =
      agreedAt === null || nanosToMillis(nanos(now - agreedAt)) > limits.heartbeatLostAfter;
    return { ...arrivalBounds(this.#clock), isDoubtful };
  }

  /** Results were left to their agent. */
  kept(reason: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#log.warn(
      "the clocks of the agents and of this machine are apart: agents keep the results that cannot be right here; set the clocks of all by NTP",
      { "error.message": reason },
    );
  }
}
