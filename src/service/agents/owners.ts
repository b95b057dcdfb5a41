import { hashOf, mixed } from "#base/spread";

/** An agent that monitors may be placed on, and its hash. */
interface Candidate {
  readonly id: string;
  readonly bits: number;
}

/** The monitors of a location in their order, each with its hash. */
interface HashedMonitors {
  readonly ids: readonly string[];
  readonly bits: Uint32Array;
}

/**
 * Which agent each monitor of a location belongs to: the one with the highest of the hashes of each pair; null if there
 * are no agents. One agent more or less moves few monitors, so the next owners are calculated from these.
 */
export class Owners {
  readonly #monitors: HashedMonitors;
  /** In one order for every caller: if two weigh the same, the first is the owner. */
  readonly #candidates: readonly Candidate[];
  readonly #owners: readonly (string | null)[];
  readonly #weights: Float64Array;

  private constructor(
    monitors: HashedMonitors,
    candidates: readonly Candidate[],
    owners: readonly (string | null)[],
    weights: Float64Array,
  ) {
    this.#monitors = monitors;
    this.#candidates = candidates;
    this.#owners = owners;
    this.#weights = weights;
  }

  /** Monitors that no agent runs. */
  static noneOf(ids: readonly string[]): Owners {
    const bits = Uint32Array.from(ids, (id) => mixed(hashOf(id)));
    const weights = new Float64Array(ids.length).fill(-1);
    return new Owners(
      { ids, bits },
      [],
      ids.map(() => null),
      weights,
    );
  }

  /** The agent that would own a monitor, also if it is not one of these. */
  ownerOf(id: string): string | null {
    return this.#heaviestOf(mixed(hashOf(id))).owner;
  }

  #heaviestOf(bits: number): { readonly owner: string | null; readonly weight: number } {
    let [owner, weight]: [string | null, number] = [null, -1];
    for (const candidate of this.#candidates) {
      const own = mixed(bits ^ candidate.bits);
      // Of two that weigh the same the first is the owner.
      if (own > weight) [owner, weight] = [candidate.id, own];
    }
    return { owner, weight };
  }

  /** The same agents with some monitors more and some fewer; ids are numbers, and in their order. */
  withMonitors(come: ReadonlySet<string>, gone: ReadonlySet<string>): Owners {
    const { ids } = this.#monitors;
    const edits = [...gone, ...come].map((id) => ({ id, at: placeOf(ids, id) }));
    edits.sort((a, b) => a.at - b.at || Number(a.id) - Number(b.id));
    const pieces: Piece[] = [];
    let from = 0;
    for (const { id, at } of edits) {
      const isKnown = ids[at] === id;
      if (isKnown !== gone.has(id)) continue;
      pieces.push(this.#piece(from, at));
      from = isKnown ? at + 1 : at;
      if (!isKnown) pieces.push(this.#newPiece(id));
    }
    if (pieces.length === 0) return this;
    const { owners, weights, ...monitors } = joined([...pieces, this.#piece(from, ids.length)]);
    return new Owners(monitors, this.#candidates, owners, weights);
  }

  #piece(from: number, to: number): Piece {
    const { ids, bits } = this.#monitors;
    return {
      ids: ids.slice(from, to),
      bits: bits.subarray(from, to),
      owners: this.#owners.slice(from, to),
      weights: this.#weights.subarray(from, to),
    };
  }

  #newPiece(id: string): Piece {
    const bits = mixed(hashOf(id));
    const { owner, weight } = this.#heaviestOf(bits);
    return {
      ids: [id],
      bits: Uint32Array.of(bits),
      owners: [owner],
      weights: Float64Array.of(weight),
    };
  }

  get monitorIds(): readonly string[] {
    return this.#monitors.ids;
  }

  /** The owner of the monitor at a place of the list. */
  at(index: number): string | null {
    return this.#owners[index] ?? null;
  }

  /** How many agents are not among these and `ids` alike: what it costs to calculate from here. */
  distanceTo(ids: readonly string[]): number {
    const { gone, added } = this.#change(ids);
    return gone.size + added.length;
  }

  /** The owners where these agents are there. */
  among(ids: readonly string[]): Owners {
    const { gone, added, kept } = this.#change(ids);
    if (gone.size + added.length === 0) return this;
    const candidates = [...kept, ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const owners = [...this.#owners];
    const weights = Float64Array.from(this.#weights);
    for (const [index, bits] of this.#monitors.bits.entries()) {
      const before = owners[index] ?? null;
      const isOrphan = before !== null && gone.has(before);
      let owner = isOrphan ? null : before;
      let highest = isOrphan ? -1 : (weights[index] ?? -1);
      for (const { id, bits: own } of isOrphan ? candidates : added) {
        const weight = mixed(bits ^ own);
        if (weight < highest || (weight === highest && owner !== null && owner < id)) continue;
        owner = id;
        highest = weight;
      }
      owners[index] = owner;
      weights[index] = highest;
    }
    return new Owners(this.#monitors, candidates, owners, weights);
  }

  #change(ids: readonly string[]): OwnersChange {
    const wanted = new Set(ids);
    const kept = this.#candidates.filter(({ id }) => wanted.delete(id));
    const stay = new Set(kept.map(({ id }) => id));
    return {
      kept,
      gone: new Set(this.#candidates.flatMap(({ id }) => (stay.has(id) ? [] : [id]))),
      added: [...wanted].map((id) => ({ id, bits: mixed(hashOf(id)) })),
    };
  }
}

/** Where an id is in a list of numbers in order, or would be. */
export function placeOf(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(ids[middle]) < Number(id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Some monitors in a row, and their owners. */
interface Piece extends HashedMonitors {
  readonly owners: readonly (string | null)[];
  readonly weights: Float64Array;
}

function joined(pieces: readonly Piece[]): Piece {
  const count = pieces.reduce((sum, { ids }) => sum + ids.length, 0);
  const [bits, weights] = [new Uint32Array(count), new Float64Array(count)];
  let at = 0;
  for (const piece of pieces) {
    bits.set(piece.bits, at);
    weights.set(piece.weights, at);
    at += piece.ids.length;
  }
  return {
    ids: new Array<string>().concat(...pieces.map((one) => one.ids)),
    bits,
    owners: new Array<string | null>().concat(...pieces.map((one) => one.owners)),
    weights,
  };
}

interface OwnersChange {
  readonly kept: readonly Candidate[];
  readonly gone: ReadonlySet<string>;
  readonly added: readonly Candidate[];
}
