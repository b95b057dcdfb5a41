import type { Clock } from "#clock";
import * as limits from "#limits/prober-limits";
import type { Outcome } from "#check/outcome";
import type { Board } from "#prober/board";
import type { CheckListener } from "#prober/checker";
import type { DecidedCheck } from "#prober/checks/decided-check";
import type { MissedSlots } from "#prober/schedule/missed-slots";
import type { SentResult } from "#prober/lane-messages";

export interface Batch {
  readonly decided: readonly SentResult[];
  readonly missed: readonly MissedSlots[];
}

/** What waits to cross to the main thread, which is woken for many results at once. */
export class Outbox implements CheckListener {
  readonly #clock: Clock;
  readonly #send: (batch: Batch) => void;
  readonly #editionOf: (decided: DecidedCheck) => number;
  readonly #board: Pick<Board, "unsent">;
  #decided: SentResult[] = [];
  #missed: MissedSlots[] = [];
  #state: "empty" | "waiting" = "empty";

  constructor(
    clock: Clock,
    send: (batch: Batch) => void,
    editionOf: (decided: DecidedCheck) => number,
    board: Pick<Board, "unsent">,
  ) {
    this.#board = board;
    this.#clock = clock;
    this.#send = send;
    this.#editionOf = editionOf;
  }

  decided(decided: DecidedCheck): void {
    const { result, report, lateness } = decided;
    const outcome = result.outcome === null ? null : withoutBody(result.outcome);
    this.#decided.push({
      edition: this.#editionOf(decided),
      result: { ...result, outcome },
      payload: report.payload,
      lateness,
    });
    this.#board.unsent(result.monitorId, result.slot);
    this.#wait();
  }

  missed(missed: MissedSlots): void {
    this.#missed.push(missed);
    this.#wait();
  }

  flush(): void {
    if (this.#state === "empty") return;
    const batch = { decided: this.#decided, missed: this.#missed };
    this.#decided = [];
    this.#missed = [];
    this.#state = "empty";
    this.#send(batch);
    for (const { result } of batch.decided) this.#board.unsent(result.monitorId, null);
  }

  #wait(): void {
    if (this.#decided.length + this.#missed.length >= limits.crossingBatchMax) {
      this.#state = "waiting";
      return this.flush();
    }
    if (this.#state === "waiting") return;
    this.#state = "waiting";
    void this.#clock.sleep(limits.crossingEvery).then(() => this.flush());
  }
}

/** The report has it, and nothing else looks at it once it was judged. */
function withoutBody(outcome: Outcome): Outcome {
  if (outcome.kind !== "http" || outcome.response === null) return outcome;
  return { ...outcome, response: { ...outcome.response, body: noBody } };
}

const noBody = new Uint8Array();
