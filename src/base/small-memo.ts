import * as limits from "#limits/process-limits";

/**
 * What is made of values and is the same each time, remembered while those are few. With a hundred thousand of them what is
 * remembered takes more than making it again: each full collection goes through all of it.
 */
export class SmallMemo<From extends WeakKey, Made> {
  readonly #make: (from: From) => Made;
  readonly #max: number;
  #known = new WeakMap<From, Made>();
  #size = 0;
  /** How often something was made that is not remembered. */
  #more = 0;

  constructor(make: (from: From) => Made, max: number = limits.memoKeptMax) {
    this.#make = make;
    this.#max = max;
  }

  of(from: From): Made {
    const known = this.#known.get(from);
    if (known !== undefined) return known;
    const made = this.#make(from);
    if (this.#size < this.#max) {
      this.#known.set(from, made);
      this.#size += 1;
    } else this.#leftOut();
    return made;
  }

  /** Those that are remembered may be gone by now: they were few at each time, but others each day. */
  #leftOut(): void {
    this.#more += 1;
    if (this.#more < this.#max * 16) return;
    this.#known = new WeakMap();
    this.#size = 0;
    this.#more = 0;
  }
}
