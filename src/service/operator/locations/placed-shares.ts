import { placementsKeptMax } from "#limits/service-limits";
import {
  type Placing,
  placingOf,
  shareOf,
  type Sharer,
  unplaced,
} from "#service/agents/rendezvous";

/** The monitors of each sharer of a location. */
type Shares = ReadonlyMap<string, readonly string[]>;

/** The split of some monitors among some sharers: it is the same for as long as both are. */
interface KeptSplit {
  readonly monitorIds: readonly string[];
  readonly marks: string;
  readonly placing: Placing;
  readonly shares: Shares;
}

/**
 * What each sharer runs, as the assignment calculates it. A location's page is opened often, and a location may have a
 * hundred thousand monitors: the newest splits are kept, and the next one is calculated from the one of the same monitors.
 */
export class PlacedShares {
  /** The newest is the last. */
  #kept: readonly KeptSplit[] = [];

  of(monitorIds: readonly string[], sharers: readonly Sharer[]): Shares {
    const placed = sharers.filter(({ wanted, settled }) => wanted || settled);
    const [only] = placed;
    if (only === undefined) return new Map();
    if (placed.length === 1) return new Map([[only.id, monitorIds]]);
    const known = this.#kept.find((one) => isSame(one.monitorIds, monitorIds)) ?? null;
    const split = splitOf(monitorIds, placed, known);
    const others = this.#kept.filter((one) => one !== known);
    this.#kept = [...others, split].slice(-placementsKeptMax);
    return split.shares;
  }
}

function splitOf(
  monitorIds: readonly string[],
  sharers: readonly Sharer[],
  known: KeptSplit | null,
): KeptSplit {
  const each = sharers.map(({ id, wanted, settled }) => [id, wanted, settled] as const);
  const marks = JSON.stringify(each.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  if (known?.marks === marks) return known;
  const placing = placingOf(known?.placing ?? unplaced(monitorIds), sharers);
  const shares = new Map(sharers.map(({ id }) => [id, shareOf(placing, id)]));
  return { monitorIds, marks, placing, shares };
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id, index) => id === others[index]);
