import type { Change } from "#store/store";

/** Those that are called at changes. Many changes in one turn of the loop are one. */
export class Listeners {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #waiting = new Set<Change>();

  add(listener: (change: Change) => void): Disposable {
    // One that is added twice is called twice.
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  say(change: Change): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#sayAll());
    this.#waiting.add(change);
  }

  #sayAll(): void {
    const changes = [...this.#waiting];
    this.#waiting.clear();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}
