import { isUncertain, type Outcome } from "#check/outcome";
import { nanos, type Nanos } from "#base/units";

/** How far this agent's figures can be believed: sent with each heartbeat, so that an overloaded machine is seen. */
export class Certainty {
  #uncertain = 0;
  #errorBarMax: Nanos = nanos(0);

  /** Results so far whose figures are uncertain. */
  get uncertain(): number {
    return this.#uncertain;
  }

  note(outcome: Outcome | null): void {
    if (outcome === null) return;
    if (isUncertain(outcome)) this.#uncertain += 1;
    this.#errorBarMax = nanos(Math.max(this.#errorBarMax, outcome.errorBar));
  }

  /** The largest error bar since this was asked last. */
  takeErrorBarMax(): Nanos {
    const taken = this.#errorBarMax;
    this.#errorBarMax = nanos(0);
    return taken;
  }
}
