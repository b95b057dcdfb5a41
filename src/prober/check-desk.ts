import { Board } from "#prober/board";
import { LocalChecker } from "#prober/local-checker";
import { Outbox } from "#prober/outbox";
import type { Prober } from "#prober/prober";
import type { ChecksOptions, LaneReply, LaneRequest, MonitorEdition } from "#prober/lane-messages";
import { processClock } from "#clock";
import type { Logger } from "#log";
import type { Monitor } from "#check/monitor";

/** Checks monitors at their slots, in a thread that knows of the agent only what it is sent. */
export function checkDesk(
  options: ChecksOptions,
  prober: Pick<Prober, "probe">,
  answer: (answer: LaneReply) => void,
): (ask: LaneRequest) => void {
  const editions = new WeakMap<Monitor, number>();
  const board = new Board(options.board);
  const checker = new LocalChecker({
    ...options,
    prober,
    clock: processClock,
    log: faultLog(answer),
    chance: Math.random,
    board,
  });
  const outbox = new Outbox(
    processClock,
    (batch) => answer({ answer: "batch", ...batch }),
    ({ monitor }) => editions.get(monitor) ?? 0,
    board,
  );
  checker.attend(outbox);
  const numbered = (assigned: readonly MonitorEdition[]): readonly Monitor[] =>
    assigned.map(({ edition, monitor }) => {
      editions.set(monitor, edition);
      return monitor;
    });
  const questions = new Questions(checker, answer);
  const settle = async (id: number): Promise<void> => {
    await checker.settled();
    outbox.flush();
    answer({ answer: "settled", id });
  };
  let taking = new AbortController();
  return (ask) => {
    switch (ask.ask) {
      case "apply": {
        const plan = { start: numbered(ask.start), change: numbered(ask.change), stop: ask.stop };
        return checker.apply(plan, ask.newest, ask.standings);
      }
      case "take_slots":
        taking = new AbortController();
        return void checker.run(taking.signal);
      case "leave_slots":
        return taking.abort();
      case "abort":
        return checker.abort();
      case "free":
        return checker.free(ask.monitorId, ask.slot);
      case "check_now":
        return void questions.ask(ask.id, ask.monitor);
      case "cancel_check":
        return questions.cancel(ask.id);
      case "settle":
        return void settle(ask.id);
    }
  };
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
