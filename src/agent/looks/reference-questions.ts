import type { EvidenceBudget, Expense } from "#agent/looks/evidence-budget";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { Clock } from "#base/clock";
import type { Outcome } from "#check/outcome";
import * as limits from "#limits/vantage-limits";
import type { Reference } from "#agent/prober/prober";
import type { Surroundings } from "#agent/vantage/needs";
import type { Observation } from "#agent/vantage/observation";
import { observationOf } from "#agent/vantage/read-observation";
import { showHostPort } from "#network/host-port";
import { nanosToMillis } from "#base/units";

interface ReferenceTools {
  readonly sources: Pick<PlaceSources, "references" | "askReference">;
  readonly budget: EvidenceBudget;
  readonly clock: Clock;
  readonly around: () => Surroundings;
  /** What came of one, as soon as it is there. */
  readonly observed: (seen: Observation, outcome: Outcome) => void;
}

/**
 * Asks the operator's references whether anything answers this agent, while a failure may be its own place's. One after
 * the other begins, a moment apart, until what came of them settles it: mostly the first one does.
 */
export class ReferenceQuestions {
  readonly #tools: ReferenceTools;
  /** The one that answered last is asked first. */
  #answered: Reference | null = null;
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;

  constructor(tools: ReferenceTools) {
    this.#tools = tools;
  }

  /** Asks now, or shares what is asked already; false if that was a moment ago, and where nothing may be sent. */
  async ask(isSettled: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#asking === null && !this.#begin(isSettled, signal)) return false;
    await this.#asking;
    return true;
  }

  #begin(isSettled: () => boolean, signal: AbortSignal): boolean {
    const { sources, budget, clock } = this.#tools;
    const count = sources.references.length;
    const now = nanosToMillis(clock.monotonic());
    if (count === 0 || signal.aborted || now - this.#askedAt < limits.questionEvery) return false;
    const room = budget.take("ways", count * limits.referencePackets, now);
    if (room === null) return false;
    this.#askedAt = now;
    this.#asking = this.#askAll(isSettled, room, signal).finally(() => {
      this.#asking = null;
    });
    return true;
  }

  async #askAll(isSettled: () => boolean, room: Expense, signal: AbortSignal): Promise<void> {
    const { sources, clock } = this.#tools;
    const settled = new AbortController();
    const ended = AbortSignal.any([signal, settled.signal]);
    const asked: Promise<void>[] = [];
    const last = sources.references.filter((one) => one === this.#answered);
    for (const reference of new Set([...last, ...sources.references])) {
      if (asked.length > 0) await clock.sleep(limits.nextReferenceAfter, ended);
      if (ended.aborted) break;
      const asking = sources.askReference(reference, ended).then((outcome) => {
        // What ended because another one answered says nothing.
        if (ended.aborted) return;
        this.#observe(reference, outcome);
        if (outcome.failure === null) this.#answered = reference;
        if (isSettled()) settled.abort();
      });
      asked.push(asking);
    }
    await Promise.all(asked);
    room.packets = asked.length * limits.referencePackets;
  }

  #observe(reference: Reference, outcome: Outcome): void {
    const { around, observed, clock } = this.#tools;
    const now = nanosToMillis(clock.monotonic());
    const seen = observationOfReference(reference, outcome, around(), now);
    if (seen !== null) observed(seen, outcome);
  }
}

/** What an answer or a silence says of all that lies between; null if the guard denied it. */
export function observationOfReference(
  { host, port }: Reference,
  outcome: Outcome,
  around: Surroundings,
  now: number,
): Observation | null {
  const target = { kind: "tcp", host, port } as const;
  const result = { monitorId: referenceId(host, port), outcome, failure: outcome.failure };
  return observationOf(result, { target, periodicity: limits.referenceKept }, around, now);
}

/** Its name among monitors. */
const referenceId = (host: string, port: number): string => `reference ${showHostPort(host, port)}`;
export const isReference = (id: string): boolean => id.startsWith("reference ");
