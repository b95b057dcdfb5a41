import type { PlaceSources } from "#agent/looks/place-sources";
import type { Millis } from "#base/units";
import { blindSight, type MachineSight } from "#agent/vantage/machine-sight";

interface MachineTools {
  readonly sources: Pick<PlaceSources, "look">;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Gateways that pass nothing on. */
  readonly deadEnds: () => readonly string[];
}

/** What is known of this machine: its files as they were read last, for all who look at one time. */
export class MachineLooks {
  readonly #tools: MachineTools;
  #sight: MachineSight = blindSight;
  #lookedAt = -Infinity;

  constructor(tools: MachineTools) {
    this.#tools = tools;
  }

  /** The same object until something of it is learned anew. */
  get sight(): MachineSight {
    return this.#sight;
  }

  /** Reads the files where they were not read within `kept`. */
  look(kept: Millis): MachineSight {
    const now = this.#tools.now();
    const deadEnds = this.#tools.deadEnds();
    const isOld = now - this.#lookedAt >= kept;
    if (!isOld && deadEnds === this.#sight.deadEnds) return this.#sight;
    const { resolvers, clockSkew } = this.#sight;
    const machine = isOld ? this.#tools.sources.look(now) : this.#sight;
    if (isOld) this.#lookedAt = now;
    this.#sight = { ...machine, resolvers, clockSkew, deadEnds };
    return this.#sight;
  }

  /** What was learned of it by other means than its files. */
  learn(more: Partial<Pick<MachineSight, "resolvers" | "clockSkew">>): void {
    this.#sight = { ...this.#sight, ...more };
  }
}
