/** What ends once: an AbortSignal, or an `Ending`. Whoever only waits for the end takes either. */
export interface EndSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * An AbortController and its signal in one object, for what a check makes anew each time: to make the runtime's two,
 * and to listen to them, costs more than all else that a deadline does.
 */
export class Ending implements EndSignal {
  #aborted = false;
  #listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Each listener is called once; one that comes after the end is not called. */
  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.#aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    // One that another removes meanwhile is not called.
    for (let next = this.#listeners.shift(); next !== undefined; next = this.#listeners.shift())
      next();
  }
}
