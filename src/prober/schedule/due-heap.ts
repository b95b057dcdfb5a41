import type { EpochMillis } from "#units";

/** A monitor, and when its next check is to begin. */
export interface Due {
  readonly id: string;
  readonly at: EpochMillis;
}

/** A binary heap of what is due, the earliest on top. */
export class DueHeap {
  readonly #items: Due[] = [];

  get earliest(): Due | null {
    return this.#items[0] ?? null;
  }

  push(item: Due): void {
    this.#items.push(item);
    let at = this.#items.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#instantAt(parent) <= item.at) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): Due | null {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top === undefined || last === undefined) return null;
    if (this.#items.length > 0) {
      this.#items[0] = last;
      this.#sink(0);
    }
    return top;
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#instantAt(left + 1) < this.#instantAt(left) ? left + 1 : left;
      if (this.#instantAt(child) >= this.#instantAt(at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  /** What lies past the end is never earlier than anything. */
  #instantAt(at: number): number {
    return this.#items[at]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#items[a], this.#items[b]];
    if (left === undefined || right === undefined) return;
    this.#items[a] = right;
    this.#items[b] = left;
  }
}
