import type { VantageWatch } from "#agent/looks/vantage-watch";
import type { VantageJudgement } from "#agent/looks/vantage-judgement";
import type { ResultSink } from "#agent/checks/result-sink";
import type { Cause } from "#check/cause";
import type { DecidedCheck } from "#agent/prober/checks/decided-check";
import { reportOf } from "#wire/report";

interface JudgementTools {
  /** Knows whether a failure is the target's; null leaves each to its target. */
  readonly vantage: Pick<VantageWatch, "judge"> | null;
  /** Where each result goes that says something of its target, in this order. */
  readonly sinks: readonly ResultSink[];
  /** Called for a result that says nothing of its target, with what hides it. */
  readonly hidden: (decided: DecidedCheck, cause: Cause) => void;
}

/**
 * What becomes of decided checks: a failure waits for what this machine says of itself, and is then passed on, or hidden.
 * The results of a monitor keep their order meanwhile. What passed waits for nothing else.
 */
export class Judgement {
  readonly #tools: JudgementTools;
  /** The newest that is judged of each monitor. */
  readonly #pending = new Map<string, Promise<void>>();
  readonly #abort = new AbortController();

  constructor(tools: JudgementTools) {
    this.#tools = tools;
  }

  take(decided: DecidedCheck): void {
    const { vantage } = this.#tools;
    const { monitor, result, age } = decided;
    if (vantage === null || monitor.rejection !== null) return this.#pass(decided);
    const before = this.#pending.get(monitor.id);
    const judge = (): VantageJudgement | Promise<VantageJudgement> =>
      vantage.judge(result, monitor, this.#abort.signal, age);
    const judged = before === undefined ? judge() : before.then(judge);
    if (judged instanceof Promise) this.#await(monitor.id, decided, judged);
    else this.#end(decided, judged);
  }

  #await(monitorId: string, decided: DecidedCheck, judged: Promise<VantageJudgement>): void {
    const judging = judged
      .then((known) => this.#end(decided, known))
      .finally(() => {
        if (this.#pending.get(monitorId) === judging) this.#pending.delete(monitorId);
      });
    this.#pending.set(monitorId, judging);
  }

  /** Settles when all that are judged now are passed on, or hidden. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  /** Ends every wait: what is known by now decides. */
  abort(): void {
    this.#abort.abort();
  }

  #end(decided: DecidedCheck, judged: VantageJudgement): void {
    if (judged.is === "hidden") return this.#tools.hidden(decided, judged.cause);
    const { result, evidence } = judged;
    const { cause, failure } = decided.result;
    const isSaid = evidence === "none" && result.cause === cause && result.failure === failure;
    const report = isSaid ? decided.report : reportOf(result, evidence);
    this.#pass({ ...decided, result, report });
  }

  #pass(decided: DecidedCheck): void {
    for (const sink of this.#tools.sinks) sink(decided);
  }
}
