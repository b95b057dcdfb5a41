import type { Gate } from "#agent/prober/checks/gate";
import { type DecidedCheck, decidedOf } from "#agent/prober/checks/decided-check";
import { type CheckTools, runCheck } from "#agent/prober/checks/run-check";
import type { Slot } from "#agent/prober/schedule/scheduler";
import * as limits from "#limits/prober-limits";
import { between } from "#base/units";

interface SlotCheckTools extends CheckTools {
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
  readonly #inFlight = new Map<Slot, Promise<void>>();
  #aborted = false;

  constructor(tools: SlotCheckTools) {
    this.#tools = tools;
  }

  async run(slot: Slot): Promise<void> {
    if (this.#aborted) slot.ending.abort();
    const check = this.#check(slot);
    this.#inFlight.set(slot, check);
    this.#tools.inFlight(this.#inFlight.size);
    try {
      await check;
    } finally {
      this.#inFlight.delete(slot);
      this.#tools.inFlight(this.#inFlight.size);
    }
  }

  /** Settles when all that are in flight now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight.values());
  }

  /** Aborts what is in flight, and whatever is still to come. */
  abort(): void {
    this.#aborted = true;
    for (const { ending } of this.#inFlight.keys()) ending.abort();
  }

  async #check(slot: Slot): Promise<void> {
    const { clock, gate, missed, decided } = this.#tools;
    const permit = await gate.enter(slot.ending);
    if (permit === null) return missed(slot, "drained");
    // Not `using`: V8 disposes by a slow call, which each check would make.
    try {
      if (between(slot.due, clock.wall()) > limits.slotLatenessMax) return missed(slot, "busy");
      const result = await runCheck(slot, this.#tools, slot.ending);
      if (result === null) return missed(slot, "drained");
      decided(decidedOf(result, slot));
    } finally {
      permit[Symbol.dispose]();
    }
  }
}
