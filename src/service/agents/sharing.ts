import { createHash } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { Placement } from "#check/placement";
import { withSpells } from "#service/agents/agent-spells";
import { Refusal } from "#service/edge/call-refusal";
import type { InstanceChange, Instances } from "#service/agents/instances";
import type { Monitors } from "#service/monitors/monitors";
import {
  afterAnswer,
  afterCall,
  afterSettling,
  type Call,
  type Placing,
  placingOf,
  type Sharer,
  shareOf,
  unplaced,
} from "#service/agents/rendezvous";
import type { LocationId } from "#service/store/ids";
import type { InstanceReport } from "#service/store/instance-report";
import type { InstanceRow, LocationRow } from "#service/store/state-store";
import { StoreFault } from "#service/store/store-fault";
import { between, type EpochMillis } from "#base/units";

interface AgentCall extends Call {
  readonly placement: Placement;
}

/** What one agent is to run. */
export interface Share {
  readonly revision: string;
  /** The ids of its monitors, in order; null is all of the location. */
  readonly monitorIds: readonly string[] | null;
  /** Whether other agents share the location's monitors with it. */
  readonly shared: boolean;
}

interface CallAnswer {
  readonly share: Share;
  /** The ids of the location's live agents, in order. */
  readonly live: readonly string[];
}

/** Everything: for an agent that runs all, and for one that gives no name. */
export const wholeShare = ({ revision }: LocationRow): Share => ({
  revision,
  monitorIds: null,
  shared: false,
});

/** Splits the monitors of each location among its agents, anew at each of their calls. */
export class Sharing {
  readonly #instances: Instances;
  readonly #monitors: Monitors;
  readonly #clock: Clock;
  readonly #startedAt: EpochMillis;
  /** The newest split of each location: it is the same for as long as nothing that it was made from changes. */
  readonly #splits = new Map<LocationId, ShareSplit>();
  /** The newest call of each location. One goes after the other, so that none has to begin again. */
  readonly #turns = new Map<LocationId, Promise<unknown>>();

  constructor(instances: Instances, monitors: Monitors, clock: Clock) {
    this.#instances = instances;
    this.#monitors = monitors;
    this.#clock = clock;
    this.#startedAt = clock.wall();
  }

  /** An agent has called: notes that and what it says of itself, and gives its share and who else is there. */
  async called(
    location: LocationRow,
    call: AgentCall,
    report: InstanceReport | null,
  ): Promise<CallAnswer> {
    const change = (before: readonly InstanceRow[]): Promise<InstanceChange<Share>> => {
      const last = before.find(({ id }) => id === call.id) ?? null;
      const said = report === null ? null : withSpells(last, report, this.#clock.wall());
      return call.placement === "everywhere"
        ? Promise.resolve(this.#unplaced(location, call, said))
        : this.#placed(location, before, call, said);
    };
    const turn = ended(this.#turns.get(location.id)).then(() =>
      this.#instances.change(location.id, change),
    );
    this.#turns.set(location.id, turn);
    try {
      const kept = await turn;
      if (kept !== null) return { share: kept.answer, live: kept.live };
      throw new Refusal("unavailable", "the location's agents change too fast: try again");
    } finally {
      if (this.#turns.get(location.id) === turn) this.#turns.delete(location.id);
    }
  }

  #unplaced(
    location: LocationRow,
    { id, leaving: left, revision, placement }: AgentCall,
    report: InstanceReport | null,
  ): InstanceChange<Share> {
    const unplaced = { wanted: false, settled: false, steadyFrom: null };
    const lastSeenAt = this.#clock.wall();
    const caller = { ...unplaced, id, left, revision, lastSeenAt, placement, report };
    return { kept: [caller], answer: wholeShare(location) };
  }

  async #placed(
    location: LocationRow,
    instances: readonly InstanceRow[],
    { placement, ...call }: AgentCall,
    report: InstanceReport | null,
  ): Promise<InstanceChange<Share>> {
    const now = this.#clock.wall();
    const before = instances.filter(shares);
    const present = afterCall(before, call, now, this.#startedAt);
    const split = await this.#split(location, present);
    const settled = afterSettling(present, (id) => split.of(id).revision);
    const own = (await this.#split(location, settled)).of(call.id);
    const answered = afterAnswer(settled, call.id, own.revision);
    const known = new Set<Sharer>(before);
    const kept = answered
      .filter((one) => !known.has(one))
      .map((one) => ({ ...one, placement, report: one.id === call.id ? report : null }));
    const shared = settled.some(
      ({ id, left, lastSeenAt }) =>
        id !== call.id && !left && between(lastSeenAt, now) <= limits.shareLostAfter,
    );
    return { kept, answer: { ...own, shared } };
  }

  async #split(location: LocationRow, sharers: readonly Sharer[]): Promise<ShareSplit> {
    const marks = sharers.map(({ id, wanted, settled }) => `${wanted} ${settled} ${id}`);
    const madeFrom = JSON.stringify([location.revision, marks.toSorted()]);
    const known = this.#splits.get(location.id);
    if (known?.madeFrom === madeFrom) return known;
    // Those of the same revision run the same monitors.
    const placed =
      known?.revision === location.revision
        ? known.placing
        : unplaced((await this.#monitors.assignedIds(location.id)).map(String));
    const split = splitOf(location, placingOf(placed, sharers), madeFrom);
    this.#splits.set(location.id, split);
    for (const id of this.#splits.keys()) {
      if (this.#splits.size <= limits.serviceLocationsMax) break;
      this.#splits.delete(id);
    }
    return split;
  }
}

/** Whoever waited for a call that the store failed would only wait as long again. */
async function ended(turn: Promise<unknown> | undefined): Promise<void> {
  try {
    await turn;
  } catch (error) {
    if (error instanceof StoreFault) throw error;
  }
}

interface ShareSplit {
  readonly madeFrom: string;
  readonly revision: string;
  readonly placing: Placing;
  /** Reckoned for whoever calls, and once. */
  readonly of: (id: string) => Omit<Share, "shared">;
}

function splitOf(location: LocationRow, placing: Placing, madeFrom: string): ShareSplit {
  const { revision } = location;
  const shares = new Map<string, Omit<Share, "shared">>();
  const shareFor = (id: string): Omit<Share, "shared"> => {
    const own = shareOf(placing, id);
    const isWhole = own.length === placing.wanted.monitorIds.length;
    return isWhole
      ? wholeShare(location)
      : { revision: `${revision}.${digestOf(own)}`, monitorIds: own };
  };
  const of = (id: string) => shares.getOrInsertComputed(id, shareFor);
  return { madeFrom, revision, placing, of };
}

/** Short, because it travels with each heartbeat; it distinguishes two shares of one location, and no more. */
const digestOf = (ids: readonly string[]): string =>
  createHash("sha256").update(ids.join("\n")).digest("base64url").slice(0, 12);

const shares = ({ placement }: InstanceRow): boolean => placement === "share";
