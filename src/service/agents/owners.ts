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

interface OwnersChange {
  readonly kept: readonly Candidate[];
  readonly gone: ReadonlySet<string>;
  readonly added: readonly Candidate[];
}
