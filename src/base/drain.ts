import type { Clock } from "#base/clock";
import type { Millis } from "#base/units";

/** A signal that aborts a while after another one: until then, what is under way may end. Disposed, it stays as it is. */
export class Drain implements Disposable {
  readonly #cut = new AbortController();
  readonly #over = new AbortController();

  constructor(stopping: AbortSignal, length: Millis, clock: Clock) {
    const begin = async (): Promise<void> => {
      await clock.sleep(length, this.#over.signal);
      if (!this.#over.signal.aborted) this.cutOff();
    };
    const { signal } = this.#over;
    stopping.addEventListener("abort", () => void begin(), { once: true, signal });
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  cutOff(): void {
    this.#cut.abort();
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
