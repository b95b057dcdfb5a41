import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import { endBehindProxy } from "#agent/looks/direct-way";
import { isWorthNarrow, withNarrow } from "#agent/looks/narrow-way";
import { withPath } from "#agent/looks/path-looks";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { DirectLook } from "#check/place-evidence";
import type { Target } from "#check/monitor";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { MachineSight } from "#agent/vantage/machine-sight";

interface FurtherTools {
  readonly sources: Pick<
    PlaceSources,
    "tracePath" | "narrowCheck" | "directCheck" | "proxying" | "evidence"
  >;
  readonly budget: EvidenceBudget;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** What packets to a target that fails can add to its result, as far as the settings want it and the budget allows it. */
export class FurtherEvidence {
  readonly #tools: FurtherTools;

  constructor(tools: FurtherTools) {
    this.#tools = tools;
  }

  /** The path and small packets; `isNarrowWorth` is false if these can say nothing more of a failure. */
  async of(
    result: Result,
    { sight, isTraced, target, isNarrowWorth, signal }: FurtherWish,
  ): Promise<FurtherLook> {
    const untouched = { result, leftOut: 0 };
    if (this.#tools.sources.evidence === "local") return untouched;
    const traced = isTraced ? await this.#path(result, sight, signal) : untouched;
    if (!isNarrowWorth) return traced;
    const tried = await this.#narrow(traced.result, target, signal);
    return { result: tried.result, leftOut: traced.leftOut + tried.leftOut };
  }

  /** Whether a target that failed at the proxy accepts a connection without it, where the operator wants to know. */
  async direct({ failure }: Result, target: Target, signal: AbortSignal): Promise<AroundProxy> {
    const { sources, budget, now } = this.#tools;
    const { directCheck, proxying } = sources;
    if (directCheck === null || failure === null || signal.aborted) return noDirectLook;
    const end = endBehindProxy(target, failure, proxying);
    if (end === null) return noDirectLook;
    if (budget.take("ways", limits.directPackets, now()) === null)
      return { direct: null, leftOut: 1 };
    return { direct: await directCheck(end, signal), leftOut: 0 };
  }

  /** How far packets to a connection that failed come now. */
  async #path(result: Result, sight: MachineSight, signal: AbortSignal): Promise<FurtherLook> {
    const { sources, budget, now } = this.#tools;
    let leftOut = 0;
    const traced = await withPath(result, sight, signal, async (end, hopsMax) => {
      const expense = budget.takeTrace(end.address, now());
      if (expense === null) {
        leftOut = 1;
        return null;
      }
      const path = await sources.tracePath(end, hopsMax, signal);
      expense.packets = path?.packets ?? 0;
      return path;
    });
    return { result: traced, leftOut };
  }

  /** Whether a check whose connection was good and then stalled passes with small packets. */
  async #narrow(result: Result, target: Target, signal: AbortSignal): Promise<FurtherLook> {
    const { sources, budget, now } = this.#tools;
    if (result.outcome === null || signal.aborted) return { result, leftOut: 0 };
    if (!isWorthNarrow(result.outcome, target)) return { result, leftOut: 0 };
    if (!budget.take("ways", limits.narrowPackets, now())) return { result, leftOut: 1 };
    return { result: await withNarrow(result, target, sources.narrowCheck, signal), leftOut: 0 };
  }
}

interface FurtherWish {
  readonly sight: MachineSight;
  readonly isTraced: boolean;
  readonly target: Target;
  readonly isNarrowWorth: boolean;
  readonly signal: AbortSignal;
}

/** What was found, and how many questions were not asked because others had used up the packets. */
interface FurtherLook {
  readonly result: Result;
  readonly leftOut: number;
}

interface AroundProxy {
  readonly direct: DirectLook | null;
  readonly leftOut: number;
}

export const noDirectLook: AroundProxy = { direct: null, leftOut: 0 };
