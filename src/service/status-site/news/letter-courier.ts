import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import type { Logger } from "#base/log";
import { Bell } from "#service/edge/bell";
import type { StopSignals } from "#service/alerts/turn-room";
import type { PageReaders } from "#service/status-site/news/page-readers";
import type { Letter, LetterFate, SubscriberWay } from "#service/store/subscriber-store";
import type { Store } from "#service/store/store";
import { between, epochMillis, type EpochMillis } from "#base/units";

/** Whoever carries letters of one way: tries each once, and says what becomes of it. */
export interface LetterCarrier {
  readonly way: SubscriberWay;
  /** Letters that are under way at the same time. */
  readonly lanes: number;
  /** Nothing is tried before. */
  readonly restUntil: EpochMillis;
  /** Null if it was interrupted: it is as if it had not been tried. */
  carry(letter: Letter, now: EpochMillis, signal: AbortSignal): Promise<LetterFate | null>;
}

interface LetterCourierOptions {
  readonly store: Store;
  readonly carrier: LetterCarrier;
  /** What the log calls a subscriber. */
  readonly readers: Pick<PageReaders, "nameOf">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends what waits for readers by one way, so that no way waits for another. Replicas share it. */
export class LetterCourier {
  readonly #options: LetterCourierOptions;
  readonly #holder: string = randomUUID();

  constructor(options: LetterCourierOptions) {
    this.#options = options;
  }

  /** Sends until it is stopped; a failure is logged once and the look repeated. */
  async run(stops: StopSignals): Promise<void> {
    const { stopping: signal } = stops;
    const { store, clock, log } = this.#options;
    const bell = new Bell();
    using _ = store.onChange((change) => {
      if (change === "letters" || change === "pages") bell.ring();
    });
    let isFailing = false;
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await this.#look(stops);
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.error("could not look for news to readers of status pages", {
            "error.message": String(error),
          });
        isFailing = true;
      }
      if (isMore) await clock.sleep(limits.lettersPause, signal);
      else await bell.wait(clock, limits.lettersLookEvery, signal);
    }
  }

  /** Whether it was a whole batch, so that there may be more. */
  async #look(stops: StopSignals): Promise<boolean> {
    const { store, carrier, clock } = this.#options;
    const { letters } = store.readers;
    const now = clock.wall();
    if (now < carrier.restUntil || !(await letters.due(carrier.way, now))) return false;
    const claimed = await letters.claim(this.#holder, carrier.way, now);
    const queue = claimed.values();
    try {
      const lanes = Array.from({ length: carrier.lanes });
      await Promise.all(lanes.map(() => this.#work(queue, now, stops)));
    } finally {
      await letters.release(this.#holder);
    }
    return claimed.length === limits.lettersAtOnce;
  }

  async #work(queue: Iterable<Letter>, began: EpochMillis, stops: StopSignals): Promise<void> {
    const { clock, store, carrier, readers } = this.#options;
    for (const letter of queue) {
      const now = clock.wall();
      if (stops.stopping.aborted || now < carrier.restUntil) return;
      if (between(began, now) > limits.lettersTurnMax) return;
      const fate = await carrier.carry(letter, now, stops.cutOff);
      if (fate === null) continue;
      const mayEnd = fate.is === "ended" || fate.is === "refused";
      const called = mayEnd && letter.of !== "entry" ? readers.nameOf(letter.subscriber) : "";
      await store.readers.letters.settle(this.#holder, letter.id, fate, clock.wall(), called);
    }
  }
}

/** Before all times: no rest. */
export const noRest: EpochMillis = epochMillis(0);

/** No one is to get it any more. */
export const dropped: LetterFate = { is: "dropped" };
