import { epochMillis, type EpochMillis } from "#base/units";

/**
 * What is due, the earliest instant on top of a binary heap. Many checks begin together, so each instant stands in the
 * heap once, and what is compared are numbers that lie side by side.
 */
export class DueHeap {
  readonly #instants: number[] = [];
  /** The monitors that are due at each of them. */
  readonly #due = new Map<number, string[]>();

  /** Null if nothing is due any more. */
  get earliest(): EpochMillis | null {
    const first = this.#instants[0];
    return first === undefined ? null : epochMillis(first);
  }

  push(monitorId: string, at: EpochMillis): void {
    const together = this.#due.get(at);
    if (together !== undefined) return void together.push(monitorId);
    this.#due.set(at, [monitorId]);
    this.#rise(at);
  }

  /** The monitors of the earliest instant. */
  pop(): readonly string[] {
    const first = this.#instants[0];
    const last = this.#instants.pop();
    if (first === undefined || last === undefined) return [];
    if (this.#instants.length > 0) this.#sink(last);
    const together = this.#due.get(first) ?? [];
    this.#due.delete(first);
    return together;
  }

  /** Finds the place of one that is new, from the end upwards. */
  #rise(instant: number): void {
    const instants = this.#instants;
    let at = instants.push(instant) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = instants[parent] ?? -Infinity;
      if (above <= instant) break;
      instants[at] = above;
      at = parent;
    }
    instants[at] = instant;
  }

  /** Finds the place of the one that was last, from the top downwards. */
  #sink(instant: number): void {
    const instants = this.#instants;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      // What lies past the end is never earlier than anything.
      const atLeft = instants[left] ?? Infinity;
      const atRight = instants[left + 1] ?? Infinity;
      const earlier = Math.min(atLeft, atRight);
      if (earlier >= instant) break;
      instants[at] = earlier;
      at = atRight < atLeft ? left + 1 : left;
    }
    instants[at] = instant;
  }
}
