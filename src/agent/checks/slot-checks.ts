import type { Gate } from "#agent/checks/gate";
import { decidedOf, type ResultSink } from "#agent/checks/result-sink";
import { type CheckTools, runCheck } from "#agent/checks/run-check";
import type { Result } from "#check/result";
import type { Judged, VantageWatch } from "#agent/vantage/vantage-watch";
import type { Slot } from "#agent/schedule/scheduler";
import * as limits from "#limits";
import { between } from "#units";

export interface SlotCheckTools extends CheckTools {
  readonly gate: Gate;
  /** Called for a slot whose check never began, or was aborted. */
  readonly missed: (slot: Slot, reason: "drained" | "busy" | "vantage") => void;
  /** Knows whether a failure is the target's; null leaves each to its target. */
  readonly vantage: Pick<VantageWatch, "judge"> | null;
  /** Where each result goes, in this order. */
  readonly sinks: readonly ResultSink[];
}

/** The checks of slots that are due: they wait for the gate, run, and their results go to every sink. */
export class SlotChecks {
  readonly #tools: SlotCheckTools;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  /** What ends a monitor's checks, by what takes the monitor away: made once for all of them. */
  readonly #endings = new WeakMap<AbortSignal, AbortSignal>();

  constructor(tools: SlotCheckTools) {
    this.#tools = tools;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  async run(slot: Slot): Promise<void> {
    const check = this.#check(slot);
    this.#inFlight.add(check);
    try {
      await check;
    } finally {
      this.#inFlight.delete(check);
    }
  }

  /** Settles when all that are in flight now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  /** Aborts what is in flight, and whatever is still to come. */
  abort(): void {
    this.#abort.abort();
  }

  async #check(slot: Slot): Promise<void> {
    const { missed, sinks } = this.#tools;
    const signal = this.#endings.getOrInsertComputed(slot.signal, (taken) =>
      AbortSignal.any([taken, this.#abort.signal]),
    );
    const result = await this.#inTurn(slot, signal);
    if (result === null) return;
    // Others have their turn while a failure waits for what this machine says of itself.
    const judged = await this.#judged(result, slot, signal);
    if (judged.is === "hidden") return missed(slot, "vantage");
    const decided = decidedOf(judged.result, slot);
    for (const sink of sinks) sink(decided);
  }

  #judged(result: Result, { monitor }: Slot, signal: AbortSignal): Judged | Promise<Judged> {
    const { vantage } = this.#tools;
    if (vantage === null || monitor.rejection !== null) return { is: "reported", result };
    return vantage.judge(result, monitor, signal);
  }

  /** The slot's result; null where it was missed. */
  async #inTurn(slot: Slot, signal: AbortSignal): Promise<Result | null> {
    const { clock, gate, missed } = this.#tools;
    const skip = (reason: "drained" | "busy"): null => {
      missed(slot, reason);
      return null;
    };
    using permit = await gate.enter(signal);
    if (permit === null) return skip("drained");
    if (between(slot.due, clock.wall()) > limits.slotLatenessMax) return skip("busy");
    return (await runCheck(slot, this.#tools, signal)) ?? skip("drained");
  }
}
