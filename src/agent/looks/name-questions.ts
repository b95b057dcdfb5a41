import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { ResolverAnswer, ResolverOutcome } from "#check/place-evidence";
import * as limits from "#limits/vantage-limits";
import type { ResolverSight } from "#agent/vantage/machine-sight";

interface NameTools {
  readonly sources: Pick<PlaceSources, "resolvers" | "askResolvers">;
  readonly budget: EvidenceBudget;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly answered: (resolvers: readonly ResolverSight[]) => void;
}

/** Asks the name servers side by side, once in a while, whoever wants to know: all who wait share it. */
export class NameQuestions {
  readonly #tools: NameTools;
  #asking: Promise<void> | null = null;
  #askedAt = -Infinity;
  #answers: readonly ResolverAnswer[] = [];

  constructor(tools: NameTools) {
    this.#tools = tools;
  }

  /** What they made of the last question; empty if none was asked. */
  get answers(): readonly ResolverAnswer[] {
    return this.#answers;
  }

  /** An answer from before `since` says nothing of a check that began then. False if there is no newer one. */
  async ask(signal: AbortSignal, since: number = -Infinity): Promise<boolean> {
    const { sources, budget, now, answered } = this.#tools;
    const isDue = this.#askedAt < since || now() - this.#askedAt >= limits.questionEvery;
    if (isDue && budget.take("names", sources.resolvers().length, now()) !== null) {
      this.#askedAt = now();
      this.#asking = sources.askResolvers(signal).then((answers) => {
        this.#answers = answers;
        answered(sightsOf(answers));
      });
    }
    await this.#asking;
    return this.#asking !== null && this.#askedAt >= since;
  }
}

/** What the inference needs of them: whether each answers, and with more than errors. */
export function sightsOf(answers: readonly ResolverAnswer[]): readonly ResolverSight[] {
  return answers.map(({ server, outcome }) => ({ server, is: states[outcome] }));
}

const states: { readonly [O in ResolverOutcome]: ResolverSight["is"] } = {
  answered: "well",
  failing: "failing",
  unreachable: "silent",
  silent: "silent",
};
