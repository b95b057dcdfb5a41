import type { EndSignal } from "#base/ending";

/** Lets a bounded number in at once; the rest wait in the order in which they came. */
export class Gate {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;
  /** It says nothing of who holds it, so all have the same. */
  readonly #permit: Disposable = { [Symbol.dispose]: () => this.#leave() };

  constructor(max: number) {
    this.#max = max;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** A permit, to be disposed of on the way out; null when `signal` aborted before there was room. */
  async enter(signal: EndSignal): Promise<Disposable | null> {
    if (signal.aborted) return null;
    if (this.#inside < this.#max) this.#inside += 1;
    else if (!(await this.#turn(signal))) return null;
    return this.#permit;
  }

  #turn(signal: EndSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const admit = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(true);
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(admit);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      };
      this.#waiting.push(admit);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #leave(): void {
    // The place is handed over to the next in line, so that no other check slips in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }
}
