import * as limits from "#limits/pages-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { withOpenIncidents } from "#service/operator/navigation";
import type { Clock } from "#base/clock";
import type { OpenCount } from "#service/store/alert-store";
import type { Store } from "#service/store/store";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

interface CountedRooms {
  readonly store: Pick<Store, "alerts" | "onChange">;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
}

/** A count, and when it was asked for. */
interface TakenCount {
  readonly count: OpenCount;
  readonly at: Nanos;
  readonly turn: number;
}

const none: OpenCount = { open: 0, acknowledged: 0 };

/**
 * How many incidents are open, and acknowledged, which every page says. One count serves all who look until one opens, ends or is
 * acknowledged. Until then
 * no page waits for it: it is renewed while the last one is shown. After that a page waits for a moment, and else says
 * what was counted last. The first one waits for the count: without a number it would say that none is open.
 */
export class OpenIncidents {
  readonly #rooms: CountedRooms;
  #last: TakenCount | null = null;
  #taking: { readonly turn: number; readonly taken: Promise<OpenCount> } | null = null;
  /** Counts up at whatever may change the count. */
  #turn = 0;

  constructor(rooms: CountedRooms) {
    this.#rooms = rooms;
    rooms.store.onChange((change) => {
      if (change === "incidents") this.outdate();
    });
  }

  async count(): Promise<OpenCount> {
    const last = this.#last;
    if (last === null || last.turn !== this.#turn) return this.#take();
    const age = nanosToMillis(nanos(this.#rooms.clock.monotonic() - last.at));
    if (age >= limits.pictureShownFor) return this.#take();
    if (age >= limits.pictureFreshFor) this.#take().catch(() => {});
    return last.count;
  }

  /** A page that says it, if it is one for people. A page that says why the store fails asks nothing of it. */
  async saidIn(page: PageAnswer): Promise<PageAnswer> {
    const hasNavigation = page.type.startsWith("text/html") && page.status < 500;
    if (!hasNavigation) return page;
    return withOpenIncidents(page, await this.#soon());
  }

  /** Begins to count while a page is made, if that is due. */
  ask(): void {
    this.count().catch(() => {});
  }

  /** The count, or the last one if it does not come in a moment or fails; none if it fails and there is no last one. */
  async #soon(): Promise<OpenCount> {
    if (this.#last === null) return this.count().catch(() => none);
    const waiting = new AbortController();
    const { clock } = this.#rooms;
    const moment = clock.sleep(limits.openIncidentsWaitMax, waiting.signal).then(() => null);
    try {
      const counted = await Promise.race([this.count().catch(() => null), moment]);
      return counted ?? this.#last.count;
    } finally {
      waiting.abort();
    }
  }

  /** What was counted before is not shown any more. */
  outdate(): void {
    this.#turn += 1;
  }

  #take(): Promise<OpenCount> {
    if (this.#taking?.turn === this.#turn) return this.#taking.taken;
    const at = this.#rooms.clock.monotonic();
    const turn = this.#turn;
    const taken = this.#read()
      .then((count) => {
        // One that was begun before another change may end after the one that was begun behind it.
        if (this.#last === null || this.#last.turn <= turn) this.#last = { count, at, turn };
        return count;
      })
      .finally(() => {
        if (this.#taking?.taken === taken) this.#taking = null;
      });
    this.#taking = { turn, taken };
    return taken;
  }

  #read(): Promise<OpenCount> {
    return this.#rooms.store.alerts.incidents.openCount();
  }
}
