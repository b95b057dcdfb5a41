import { createHash } from "node:crypto";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Placement } from "#check/placement";
import type { Instances, StoredInstance } from "#service/instances";
import type { AgentLocation } from "#service/locations";
import type { Monitors } from "#service/monitors";
import { afterCall, afterSettling, type Call, type Sharer, sharesOf } from "#service/rendezvous";
import { between, type EpochMillis } from "#units";

export interface AgentCall extends Call {
  readonly placement: Placement;
}

/** What one agent is to run. */
export interface Share {
  readonly revision: string;
  readonly holds: (monitorId: string) => boolean;
  /** Whether other agents share the location's monitors with it. */
  readonly shared: boolean;
}

/** Everything: for an agent that runs all, and for one that gives no name. */
export const wholeShare = ({ revision }: AgentLocation): Share => ({
  revision,
  holds: () => true,
  shared: false,
});

/** Splits the monitors of each location among its agents, anew at each of their calls. */
export class Sharing {
  readonly #instances: Instances;
  readonly #monitors: Monitors;
  readonly #clock: Clock;
  readonly #startedAt: EpochMillis;
  /** The newest split of each location: it is the same for as long as nothing that it was made from changes. */
  readonly #splits = new Map<string, Split>();

  constructor(instances: Instances, monitors: Monitors, clock: Clock) {
    this.#instances = instances;
    this.#monitors = monitors;
    this.#clock = clock;
    this.#startedAt = clock.wall();
  }

  /** An agent has called: notes that, and gives its share. */
  called(location: AgentLocation, { placement, ...call }: AgentCall): Share {
    const now = this.#clock.wall();
    if (placement === "everywhere") {
      const { id, leaving: left, revision } = call;
      const unplaced = { wanted: false, settled: false, steadyFrom: null };
      const caller = { ...unplaced, id, left, revision, lastSeenAt: now };
      this.#instances.keep(location.id, [caller], placement);
      return wholeShare(location);
    }
    const before = this.#instances.of(location.id).filter(shares);
    const present = afterCall(before, call, now, this.#startedAt);
    const split = this.#split(location, present);
    const settled = afterSettling(present, (id) => split.of(id).revision);
    const kept = new Set<Sharer>(before);
    this.#instances.keep(
      location.id,
      settled.filter((one) => !kept.has(one)),
      placement,
    );
    const shared = settled.some(
      ({ id, left, lastSeenAt }) =>
        id !== call.id && !left && between(lastSeenAt, now) <= limits.shareLostAfter,
    );
    return { ...this.#split(location, settled).of(call.id), shared };
  }

  #split(location: AgentLocation, sharers: readonly Sharer[]): Split {
    const marks = sharers.map(({ id, wanted, settled }) => `${wanted} ${settled} ${id}`);
    const madeFrom = JSON.stringify([location.revision, marks.toSorted()]);
    const known = this.#splits.get(location.id);
    if (known?.madeFrom === madeFrom) return known;
    const split = splitOf(location, this.#monitors.assignedIds(location.id), sharers, madeFrom);
    this.#splits.set(location.id, split);
    for (const id of this.#splits.keys()) {
      if (this.#splits.size <= limits.serviceLocationsMax) break;
      this.#splits.delete(id);
    }
    return split;
  }
}

interface Split {
  readonly madeFrom: string;
  readonly of: (id: string) => Omit<Share, "shared">;
}

function splitOf(
  location: AgentLocation,
  monitorIds: readonly string[],
  sharers: readonly Sharer[],
  madeFrom: string,
): Split {
  const shares = new Map(
    [...sharesOf(monitorIds, sharers)].map(([id, own]) => {
      const held = new Set(own);
      const whole = own.length === monitorIds.length;
      const revision = whole ? location.revision : `${location.revision}.${digestOf(own)}`;
      return [id, { revision, holds: (monitorId: string) => held.has(monitorId) }];
    }),
  );
  return { madeFrom, of: (id) => shares.get(id) ?? wholeShare(location) };
}

/** Short, because it travels with each heartbeat; two shares of one location are told apart by it, and nothing more. */
const digestOf = (ids: readonly string[]): string =>
  createHash("sha256").update(ids.join("\n")).digest("base64url").slice(0, 12);

const shares = ({ placement }: StoredInstance): boolean => placement === "share";
