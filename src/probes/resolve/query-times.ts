import type { QueryType } from "#check/assertion";
import type { Mark } from "#probes/socket/marker";
import type { MeasuredMark } from "#probes/socket/sockets";
import { nanos, type Nanos } from "#base/units";

/**
 * The instants of the questions that one check asks at the same time. A query leaves at some moment of the call that
 * sends it, and not after its answer: on a quick network the answer is there before the call has returned.
 *
 *     call ─────●───── answer ── return
 *          └ left ┘
 */
export class QueryTimes {
  readonly #leaving = new Map<QueryType, Mark>();
  readonly #sent = new Map<QueryType, Mark>();
  readonly #firstAnswer = new Map<QueryType, Nanos>();
  #answered: MeasuredMark | null = null;

  /** The first packet for this type left between `mark.at - mark.errorBar` and `mark.at`; only the first one counts. */
  leaving(type: QueryType, mark: Mark): void {
    if (!this.#leaving.has(type)) this.#leaving.set(type, mark);
  }

  /** The query of this type was on its way, in the same words. */
  sent(type: QueryType, mark: Mark): void {
    if (!this.#sent.has(type)) this.#sent.set(type, mark);
  }

  answeredAt(type: QueryType, answered: MeasuredMark): void {
    if (!this.#firstAnswer.has(type)) this.#firstAnswer.set(type, answered.mark.at);
    if (this.#answered === null || answered.mark.at > this.#answered.mark.at)
      this.#answered = answered;
  }

  get answered(): MeasuredMark | null {
    return this.#answered;
  }

  /** When the first query left; null when none did. */
  get start(): Mark | null {
    let first: Mark | null = null;
    for (const [type, mark] of this.#leaving) {
      const placed = this.#placed(type, mark);
      if (first === null || placed.at < first.at) first = placed;
    }
    return first;
  }

  /** When the last of the queries that could be sent was on its way; null when none could. */
  get lastSent(): Mark | null {
    let last: Mark | null = null;
    for (const [type, mark] of this.#sent) {
      const placed = this.#placed(type, mark);
      if (last === null || placed.at > last.at) last = placed;
    }
    return last;
  }

  #placed(type: QueryType, { at: done, errorBar }: Mark): Mark {
    const from = done - errorBar;
    const to = Math.max(from, Math.min(done, this.#firstAnswer.get(type) ?? done));
    const at = Math.floor((from + to) / 2);
    return { at: nanos(at), errorBar: nanos(to - at) };
  }
}
