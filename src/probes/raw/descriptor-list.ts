import { closeSync } from "node:fs";
import * as limits from "#limits/probes-limits";

/**
 * The descriptors that a thread opened by itself, in memory that outlives it: the runtime knows nothing of them, and
 * leaves them open when it ends the thread.
 */
export class DescriptorList {
  readonly memory: SharedArrayBuffer;
  /** Each place holds a descriptor plus one, or 0. */
  readonly #places: Int32Array;
  readonly #placeOf = new Map<number, number>();
  readonly #freed: number[] = [];
  #used = 0;

  constructor(memory: SharedArrayBuffer = descriptorMemory()) {
    this.memory = memory;
    this.#places = new Int32Array(memory);
  }

  get size(): number {
    return this.#placeOf.size;
  }

  get isFull(): boolean {
    return this.size === this.#places.length;
  }

  add(descriptor: number): void {
    const place = this.#freed.pop() ?? this.#used++;
    this.#placeOf.set(descriptor, place);
    Atomics.store(this.#places, place, descriptor + 1);
  }

  /** Before the descriptor is closed, for its number may be another's the moment after. */
  delete(descriptor: number): void {
    const place = this.#placeOf.get(descriptor);
    if (place === undefined) return;
    this.#placeOf.delete(descriptor);
    this.#freed.push(place);
    Atomics.store(this.#places, place, 0);
  }
}

export const descriptorMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(4 * limits.rawDescriptorsMax);

/** Closes what a thread left open. Only after it has ended: until then it may close them itself. */
export function closeLeft(memory: SharedArrayBuffer): number {
  const places = new Int32Array(memory);
  let closed = 0;
  places.forEach((kept, place) => {
    if (kept === 0) return;
    places[place] = 0;
    try {
      closeSync(kept - 1);
      closed += 1;
    } catch {
      // It ended between the closing and its note: there is nothing to close any more.
    }
  });
  return closed;
}
