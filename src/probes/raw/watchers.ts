import * as limits from "#limits/probes-limits";

/** Gets the changes of one descriptor. */
export type Watcher = (events: number) => void;

/**
 * Who watches which descriptor, by the number that the kernel reports its changes with; none is 0. A number comes again only
 * after a quarter of a million others at its place: a change that was found before an end reaches no other watcher.
 *
 * It is no Map. One that grows or shrinks leaves its former table behind, with what was in it and a way to its next table.
 * Once a table lies in the old generation, all that is watched from then on outlives its check, until a full collection.
 */
export class Watchers {
  /** The number that was given last at each place. */
  readonly #ids: number[] = [];
  readonly #watchers: (Watcher | null)[] = [];
  readonly #free: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(watcher: Watcher): number {
    const place = this.#free.pop() ?? this.#ids.length;
    const next = (this.#ids[place] ?? place) + placesMax;
    const id = next > idMax ? place + placesMax : next;
    this.#ids[place] = id;
    this.#watchers[place] = watcher;
    this.#size += 1;
    return id;
  }

  get(id: number): Watcher | null {
    const place = id % placesMax;
    return this.#ids[place] === id ? (this.#watchers[place] ?? null) : null;
  }

  delete(id: number): void {
    if (this.get(id) === null) return;
    this.#watchers[id % placesMax] = null;
    this.#free.push(id % placesMax);
    this.#size -= 1;
  }

  clear(): void {
    for (const id of this.#ids) this.delete(id);
  }
}

/** Each watches a descriptor. */
const placesMax = limits.rawDescriptorsMax;
const idMax = 2 ** 32 - 1;
