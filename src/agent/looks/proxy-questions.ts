import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import type { PlaceSources } from "#agent/looks/place-sources";
import * as limits from "#limits/vantage-limits";
import type { Vantage } from "#agent/vantage/vantage";

interface ProxyTools {
  readonly sources: Pick<PlaceSources, "askProxy">;
  readonly budget: EvidenceBudget;
  readonly vantage: Vantage;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/**
 * No check asks a dead proxy whose monitors others took over. So it is asked itself: or its silence would end its
 * condition, and the monitors would come back to it.
 */
export class ProxyQuestions {
  readonly #tools: ProxyTools;
  #askedAt = -Infinity;

  constructor(tools: ProxyTools) {
    this.#tools = tools;
  }

  async askAgain(signal: AbortSignal): Promise<void> {
    const { sources, budget, vantage, now } = this.#tools;
    const dead = vantage.conditions.find(
      ({ dependency: { scope }, affected }) => scope === "proxy" && affected.size === 0,
    );
    const at = now();
    const isDue = at - this.#askedAt >= limits.proxyAskAgainEvery;
    if (dead === undefined || !isDue || signal.aborted) return;
    if (budget.take("ways", limits.referencePackets, at) === null) return;
    this.#askedAt = at;
    const answers = await sources.askProxy(signal);
    if (answers === null || signal.aborted) return;
    if (answers) vantage.answered(dead.dependency, at);
    else vantage.silent(dead.dependency);
  }
}
