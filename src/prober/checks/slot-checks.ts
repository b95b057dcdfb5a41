import type { Gate } from "#prober/checks/gate";
import { type DecidedCheck, decidedOf } from "#prober/checks/decided-check";
import { type CheckTools, runCheck } from "#prober/checks/run-check";
import type { Slot } from "#prober/schedule/scheduler";
import * as limits from "#limits/prober-limits";
import { between } from "#units";

export interface SlotCheckTools extends CheckTools {
  readonly gate: Gate;
  /** Called for a slot whose check never began, or was aborted. */
  readonly missed: (slot: Slot, reason: "drained" | "busy") => void;
  readonly decided: (decided: DecidedCheck) => void;
  /** How many checks wait or run now, whenever that changes. */
  readonly inFlight: (count: number) => void;
}

/** The checks of slots that are due: they wait for the gate, run, and each is reported. */
export class SlotChecks {
  readonly #tools: SlotCheckTools;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  /** What ends a monitor's checks, by what takes the monitor away: made once for all of them. */
  readonly #endings = new WeakMap<AbortSignal, AbortSignal>();

  constructor(tools: SlotCheckTools) {
    this.#tools = tools;
  }

  async run(slot: Slot): Promise<void> {
    const check = this.#check(slot);
    this.#inFlight.add(check);
    this.#tools.inFlight(this.#inFlight.size);
    try {
      await check;
    } finally {
      this.#inFlight.delete(check);
      this.#tools.inFlight(this.#inFlight.size);
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
    const { clock, gate, missed, decided } = this.#tools;
    const signal = this.#endings.getOrInsertComputed(slot.signal, (taken) =>
      AbortSignal.any([taken, this.#abort.signal]),
    );
    using permit = await gate.enter(signal);
    if (permit === null) return missed(slot, "drained");
    if (between(slot.due, clock.wall()) > limits.slotLatenessMax) return missed(slot, "busy");
    const result = await runCheck(slot, this.#tools, signal);
    if (result === null) return missed(slot, "drained");
    decided(decidedOf(result, slot));
  }
}
