import * as limits from "#limits/probes-limits";
import { nanos, type Nanos } from "#base/units";

/** How long before a thread is ready a packet comes that ends its sleep: the packet is stamped before a processor wakes. */
export class WakeDelays {
  #longest: Nanos = limits.rawWakeDelayMax;
  #usual: Nanos = nanos(0);

  /** As long as it may have taken, by what it took lately. */
  get longest(): Nanos {
    return this.#longest;
  }

  /** As long as it mostly takes. */
  get usual(): Nanos {
    return this.#usual;
  }

  /** One took so long. */
  took(time: Nanos): void {
    const kept = this.#longest * (1 - 1 / limits.rawWakeDelayKept);
    this.#longest = nanos(Math.max(Math.min(time, limits.rawWakeDelayMax), kept));
    const step = (Math.max(0, time) - this.#usual) / limits.rawWakeUsualOf;
    // One that took far longer says nothing of the next.
    const most = this.#usual / 4 + limits.rawWakeStepMin;
    this.#usual = nanos(this.#usual + Math.max(-most, Math.min(step, most)));
  }
}
