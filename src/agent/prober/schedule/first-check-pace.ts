import * as limits from "#limits/prober-limits";
import type { FirstCheck } from "#agent/prober/schedule/slots";
import { epochMillis, type EpochMillis } from "#base/units";

/** How soon first checks begin: a service that assigns other monitors at each poll makes no flood. */
export class FirstCheckPace {
  /** When all first checks so far would be over, had they begun one after the other at the pace of such checks. */
  #until = 0;

  /**
   * A first check before its regular slot, and never later than that slot. The first so many begin when they want to;
   * those past them at a pace.
   */
  paced({ due, at }: FirstCheck, regular: EpochMillis, now: EpochMillis): FirstCheck {
    const apart = 1_000 / limits.firstChecksPerSecond;
    const until = Math.max(now, this.#until) + apart;
    const turn = until - limits.firstChecksAtOnce * apart;
    if (turn >= regular) return { due: regular, at: regular };
    this.#until = until;
    const paced = epochMillis(Math.max(due, Math.round(turn)));
    if (paced >= regular) return { due: regular, at: regular };
    return { due: paced, at: at === due ? paced : at };
  }
}
