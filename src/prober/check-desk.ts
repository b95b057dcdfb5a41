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
  { concurrency, latencyEnd, board }: ChecksOptions,
  prober: Pick<Prober, "probe">,
  answer: (answer: LaneReply) => void,
): (ask: LaneRequest) => void {
  const editions = new WeakMap<Monitor, number>();
  const shown = new Board(board);
  const checker = new LocalChecker({
    prober,
    clock: processClock,
    log: faultLog(answer),
    chance: Math.random,
    latencyEnd,
    concurrency,
    board: shown,
  });
  const outbox = new Outbox(
    processClock,
    (batch) => answer({ answer: "batch", ...batch }),
    ({ monitor }) => editions.get(monitor) ?? 0,
    shown,
  );
  checker.attend(outbox);
  const numbered = (assigned: readonly MonitorEdition[]): readonly Monitor[] =>
    assigned.map(({ edition, monitor }) => {
      editions.set(monitor, edition);
      return monitor;
    });
  const questions = new Map<number, AbortController>();
  const checkNow = async (id: number, monitor: Monitor): Promise<void> => {
    const cancel = new AbortController();
    questions.set(id, cancel);
    const payload = await checker.checkNow(monitor, cancel.signal);
    questions.delete(id);
    answer({ answer: "checked", id, payload });
  };
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
        return void checkNow(ask.id, ask.monitor);
      case "cancel_check":
        return questions.get(ask.id)?.abort();
      case "settle":
        return void settle(ask.id);
    }
  };
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
