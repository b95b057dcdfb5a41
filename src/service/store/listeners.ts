import type { Change, ChangeListener } from "#service/store/store";

/** Those that are called at changes. Many changes in one turn of the loop are one. */
export class Listeners {
  readonly #listeners = new Set<ChangeListener>();
  /** Each with whether it is certain. */
  readonly #waiting = new Map<Change, boolean>();

  add(listener: ChangeListener): Disposable {
    // One that is added twice is called twice.
    const own: ChangeListener = (change, isCertain) => listener(change, isCertain);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  /** Not certain: there may have been one while nothing could be heard. */
  say(change: Change, isCertain = true): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#sayAll());
    this.#waiting.set(change, isCertain || this.#waiting.get(change) === true);
  }

  #sayAll(): void {
    const changes = [...this.#waiting];
    this.#waiting.clear();
    for (const [change, isCertain] of changes)
      for (const listener of this.#listeners) listener(change, isCertain);
  }
}
