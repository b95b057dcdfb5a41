import type { Clock } from "#base/clock";
import * as limits from "#limits/prober-limits";
import { Ending } from "#base/ending";
import type { Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { fieldsOf } from "#network/http/headers";
import type { Board } from "#agent/prober/board";
import type { CheckListener } from "#agent/prober/checker";
import type { DecidedCheck } from "#agent/prober/checks/decided-check";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import type { SentResult } from "#agent/prober/lane-messages";
import { type Millis, millis, millisToNanos, type Nanos, nanos, nanosToMillis } from "#base/units";

export interface Batch {
  readonly decided: readonly SentResult[];
  readonly missed: readonly MissedSlots[];
}

/** Batches results for the main thread: failures at once, successes only a while after the last batch. */
export class Outbox implements CheckListener {
  readonly #clock: Clock;
  readonly #send: (batch: Batch) => void;
  readonly #editionOf: (decided: DecidedCheck) => number;
  readonly #board: Pick<Board, "unsent">;
  #decided: SentResult[] = [];
  #missed: MissedSlots[] = [];
  /** When the batch is sent; null while it is empty. */
  #due: Nanos | null = null;
  /** Ends the wait for it. */
  #waiting = new Ending();
  #crossedAt: Nanos;

  constructor(
    clock: Clock,
    send: (batch: Batch) => void,
    editionOf: (decided: DecidedCheck) => number,
    board: Pick<Board, "unsent">,
  ) {
    this.#board = board;
    this.#clock = clock;
    this.#crossedAt = nanos(clock.monotonic() - millisToNanos(limits.crossingCalmEvery));
    this.#send = send;
    this.#editionOf = editionOf;
  }

  decided(decided: DecidedCheck): void {
    const { result, report, lateness } = decided;
    this.#decided.push({
      edition: this.#editionOf(decided),
      result: { ...result, outcome: crossing(result) },
      payload: report.payload,
      lateness,
      decidedAt: this.#clock.monotonic(),
    });
    this.#board.unsent(result.monitorId, result.slot);
    this.#wait(result.status === "success" ? this.#calmly() : limits.crossingEvery);
  }

  missed(missed: MissedSlots): void {
    this.#missed.push(missed);
    this.#wait(limits.crossingEvery);
  }

  /** No check runs: the thread would soon be woken for what waits alone. */
  idle(): void {
    const soon = this.#clock.monotonic() + millisToNanos(limits.crossingEvery);
    if (this.#due !== null && this.#due <= soon) this.flush();
  }

  flush(): void {
    if (this.#due === null) return;
    this.#waiting.abort();
    const batch = { decided: this.#decided, missed: this.#missed };
    this.#decided = [];
    this.#missed = [];
    this.#due = null;
    this.#crossedAt = this.#clock.monotonic();
    this.#send(batch);
    for (const { result } of batch.decided) this.#board.unsent(result.monitorId, null);
  }

  /** What went well by itself is no reason to wake the other thread more often than this. */
  #calmly(): Millis {
    const since = nanosToMillis(nanos(this.#clock.monotonic() - this.#crossedAt));
    return millis(Math.max(limits.crossingEvery, Math.ceil(limits.crossingCalmEvery - since)));
  }

  #wait(within: Millis): void {
    const due = nanos(this.#clock.monotonic() + millisToNanos(within));
    const isFull = this.#decided.length + this.#missed.length >= limits.crossingBatchMax;
    if (this.#due === null || due < this.#due) {
      this.#due = due;
      this.#waiting.abort();
      if (!isFull) void this.#flushAfter(within, (this.#waiting = new Ending()));
    }
    if (isFull) this.flush();
  }

  async #flushAfter(within: Millis, waiting: Ending): Promise<void> {
    await this.#clock.sleep(within, waiting);
    // It has crossed by then, or an earlier time has taken the place of this one.
    if (!waiting.aborted) this.flush();
  }
}

/**
 * The report has the response whole, and only that of a success is never written again: of its headers just the one
 * crosses that metrics show. Each header takes as long to cross as a figure, and a response has many.
 */
function crossing({ outcome, status }: Result): Outcome | null {
  if (outcome?.kind !== "http" || outcome.response === null) return outcome;
  const { response } = outcome;
  const headers =
    status === "success" ? fieldsOf(response.headers, "content-length") : response.headers;
  // Of a failure it is an excerpt, which goes along when its report is written again.
  const body = status === "error" ? response.body : noBody;
  return { ...outcome, response: { ...response, headers, body } };
}

const noBody = new Uint8Array();
