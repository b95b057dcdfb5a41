import { Board } from "#agent/prober/board";
import { LocalChecker } from "#agent/prober/local-checker";
import { Outbox } from "#agent/prober/outbox";
import type { InlineProber } from "#agent/prober/inline-prober";
import type { StartTimes } from "#agent/prober/schedule/start-groups";
import type {
  ChecksOptions,
  LaneReply,
  LaneRequest,
  MonitorEdition,
} from "#agent/prober/lane-messages";
import { Secrets } from "#agent/secrets/secrets";
import { processClock } from "#base/clock";
import type { Logger } from "#base/log";
import type { Monitor } from "#check/monitor";

type ThreadProber = Pick<InlineProber, "probe" | "useTargets">;

interface DeskTools {
  readonly prober: ThreadProber;
  readonly starts: StartTimes;
  /** Whether an excerpt of a body goes with what is reported of an answer. */
  readonly reportsBodies: boolean;
}

/** Checks monitors at their slots, in a thread that knows of the agent only what it is sent. */
export class CheckDesk {
  readonly #answer: (answer: LaneReply) => void;
  readonly #checker: LocalChecker;
  readonly #outbox: Outbox;
  readonly #questions: Questions;
  readonly #prober: ThreadProber;
  readonly #editions = new WeakMap<Monitor, number>();
  #taking = new AbortController();
  #taken: Promise<void> = Promise.resolve();

  constructor(
    options: ChecksOptions,
    { prober, starts, reportsBodies }: DeskTools,
    answer: (answer: LaneReply) => void,
  ) {
    this.#answer = answer;
    this.#prober = prober;
    const secrets = new Secrets(options.secrets);
    const [clock, log, board] = [processClock, faultLog(answer), new Board(options.board)];
    this.#checker = new LocalChecker({
      ...options,
      secrets,
      prober,
      clock,
      log,
      reportsBodies,
      chance: Math.random,
      board,
      starts,
      idle: () => this.#outbox.idle(),
    });
    this.#outbox = new Outbox(
      clock,
      (batch) => answer({ answer: "batch", ...batch }),
      ({ monitor }) => this.#editions.get(monitor) ?? 0,
      board,
    );
    this.#checker.attend(this.#outbox);
    this.#questions = new Questions(this.#checker, answer);
  }

  take(ask: LaneRequest): void {
    switch (ask.ask) {
      case "apply":
        return this.#apply(ask);
      case "take_slots":
        this.#taking = new AbortController();
        return void (this.#taken = this.#checker.run(this.#taking.signal));
      case "leave_slots":
        return this.#taking.abort();
      case "abort":
        return this.#checker.abort();
      case "free":
        return this.#checker.free(ask.monitorId, ask.slot);
      case "check_now":
        return void this.#questions.ask(ask.id, ask.monitor);
      case "cancel_check":
        return this.#questions.cancel(ask.id);
      case "secrets":
        return this.#checker.useSecrets(ask.table);
      case "targets":
        return this.#prober.useTargets(ask.rules);
      case "settle":
        return void this.#settle(ask.id);
    }
  }

  #apply({ start, change, stop, newest, standings }: Extract<LaneRequest, { ask: "apply" }>): void {
    const plan = { start: this.#numbered(start), change: this.#numbered(change), stop };
    this.#checker.apply(plan, newest, standings);
  }

  #numbered(assigned: readonly MonitorEdition[]): readonly Monitor[] {
    for (const { edition, monitor } of assigned) this.#editions.set(monitor, edition);
    return assigned.map(({ monitor }) => monitor);
  }

  async #settle(id: number): Promise<void> {
    // At its end a schedule says what it has missed.
    if (this.#taking.signal.aborted) await this.#taken;
    await this.#checker.settled();
    this.#outbox.flush();
    this.#answer({ answer: "settled", id });
  }
}

/** Checks that a person asked for and waits for. */
class Questions {
  readonly #checker: LocalChecker;
  readonly #answer: (answer: LaneReply) => void;
  readonly #open = new Map<number, AbortController>();

  constructor(checker: LocalChecker, answer: (answer: LaneReply) => void) {
    this.#checker = checker;
    this.#answer = answer;
  }

  async ask(id: number, monitor: Monitor): Promise<void> {
    const cancel = new AbortController();
    this.#open.set(id, cancel);
    const payload = await this.#checker.checkNow(monitor, cancel.signal);
    this.#open.delete(id);
    this.#answer({ answer: "checked", id, payload });
  }

  cancel(id: number): void {
    this.#open.get(id)?.abort();
  }
}

/** A check says only what is a fault of ours. */
function faultLog(answer: (answer: LaneReply) => void): Logger {
  const silent = (): void => {};
  return {
    debug: silent,
    info: silent,
    warn: silent,
    error: (message, fields = {}) => answer({ answer: "fault", message, fields }),
  };
}
