import type { EvidenceBudget } from "#agent/vantage/evidence-budget";
import { isWorthNarrow, withNarrow } from "#agent/vantage/narrow-way";
import { withPath } from "#agent/vantage/path-looks";
import type { PlaceSources } from "#agent/vantage/place-sources";
import type { Target } from "#check/monitor";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { MachineSight } from "#vantage/machine-sight";

interface FurtherTools {
  readonly sources: Pick<PlaceSources, "tracePath" | "narrowCheck" | "evidence">;
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

  /** How far packets to a connection that failed come now. */
  async path(result: Result, sight: MachineSight, signal: AbortSignal): Promise<Result> {
    const { sources, budget, now } = this.#tools;
    if (sources.evidence === "local") return result;
    return withPath(result, sight, signal, async (end, hopsMax) => {
      const expense = budget.takeTrace(end.address, now());
      if (expense === null) return null;
      const path = await sources.tracePath(end, hopsMax, signal);
      expense.packets = path?.packets ?? 0;
      return path;
    });
  }

  /** Whether a check whose connection was good and then stalled passes with small packets. */
  async narrow(result: Result, target: Target, signal: AbortSignal): Promise<Result> {
    const { sources, budget, now } = this.#tools;
    if (sources.evidence === "local" || result.outcome === null || signal.aborted) return result;
    if (!isWorthNarrow(result.outcome, target)) return result;
    if (!budget.take("ways", limits.narrowPackets, now())) return result;
    return withNarrow(result, target, sources.narrowCheck, signal);
  }
}
