import { stateAfter } from "#check/slowness";
import { resultStatuses } from "#check/verdict";
import * as limits from "#limits/check-limits";
import type { PlainReport } from "#wire/plain-report";

/**
 * What the plain calls say of each result. They know three statuses and no doubt, so a check that may have been slow is
 * reported as degraded while its monitor is: success would be a recovery that was not seen.
 */
export class PlainStatuses {
  /** Monitors that were last reported as degraded. */
  readonly #degraded = new Set<string>();

  /** The status to send; the results of a monitor come in the order of their slots, and one may come again. */
  of(monitorId: string, { status: word, perhapsSlow }: PlainReport): string {
    const status = resultStatuses.find((one) => one === word);
    if (status === undefined) return word;
    const before = this.#degraded.has(monitorId) ? "degraded" : null;
    const state = stateAfter(before, { status, perhapsSlow });
    this.#degraded.delete(monitorId);
    if (state === "degraded") this.#degraded.add(monitorId);
    this.#forgetOldest();
    return state;
  }

  /** Nothing says which monitors are gone; a set keeps the order in which its members came. */
  #forgetOldest(): void {
    if (this.#degraded.size <= limits.monitorsPerAgentMax) return;
    const [oldest] = this.#degraded;
    if (oldest !== undefined) this.#degraded.delete(oldest);
  }
}
