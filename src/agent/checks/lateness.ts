import * as limits from "#limits/agent-limits";
import { millis, type Millis } from "#base/units";

/** How late checks began after their slots: the newest of them, so that the figure is of now and not of last week. */
export class Lateness {
  readonly #newest = new Float64Array(limits.latenessSamples);
  #count = 0;

  /** Null for a check that was never tried. */
  note(lateness: Millis | null): void {
    if (lateness === null) return;
    this.#newest[this.#count % limits.latenessSamples] = lateness;
    this.#count += 1;
  }

  /** The lateness that a share of the newest checks stayed within, e.g. 0.99; null before the first. */
  quantile(share: number): Millis | null {
    const known = this.#newest
      .subarray(0, Math.min(this.#count, limits.latenessSamples))
      .toSorted();
    const at = known[Math.ceil(share * known.length) - 1];
    return at === undefined ? null : millis(at);
  }
}
