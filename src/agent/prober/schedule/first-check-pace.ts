import * as limits from "#limits/prober-limits";
import { type FirstCheck, nextSlot, opening } from "#agent/prober/schedule/slots";
import { epochMillis, type EpochMillis } from "#base/units";
import type { Monitor } from "#check/monitor";

type Rhythm = Pick<Monitor, "id" | "periodicity">;

/**
 * How soon first checks begin: a service that assigns other monitors at each poll makes no flood, and what many monitors
 * begin with leaves room for what they are due at their slots.
 */
export class FirstCheckPace {
  /** When all first checks so far would be over, had they begun one after the other at the pace of such checks. */
  #until = 0;
  /** Checks a second at their slots. */
  #regular = 0;

  /** One more monitor has slots. */
  joined({ periodicity }: Rhythm): void {
    this.#regular += 1_000 / periodicity;
  }

  /** One that had slots has them no more. */
  left({ periodicity }: Rhythm): void {
    this.#regular -= 1_000 / periodicity;
  }

  /** The check that a monitor begins with whose newest result is of the slot `newest`; null if there is none. */
  of({ id, periodicity }: Rhythm, now: EpochMillis, newest: EpochMillis | null): FirstCheck {
    const regular = nextSlot(id, periodicity, now);
    const first = opening(id, periodicity, now, newest);
    return first.due === regular ? first : this.#paced(first, regular, now);
  }

  /**
   * A first check before its regular slot, and never later than that slot. The first so many begin when they want to;
   * those past them at a pace.
   */
  #paced({ due, at }: FirstCheck, regular: EpochMillis, now: EpochMillis): FirstCheck {
    const apart = 1_000 / (limits.firstChecksPerSecond * this.#share);
    const until = Math.max(now, this.#until) + apart;
    // So long as those take that begin at once, at the pace of the others.
    const turn = until - (limits.firstChecksAtOnce / limits.firstChecksPerSecond) * 1_000;
    if (turn >= regular) return { due: regular, at: regular };
    this.#until = until;
    const paced = epochMillis(Math.max(due, Math.round(turn)));
    if (paced >= regular) return { due: regular, at: regular };
    return { due: paced, at: at === due ? paced : at };
  }

  /** What regular checks leave of those that a thread can start. */
  get #share(): number {
    const room = limits.startsPerSecond - this.#regular;
    return Math.max(room, limits.firstChecksRoomMin) / limits.startsPerSecond;
  }
}
