import type { Gate } from "#agent/checks/gate";
import { type CheckTools, runCheck } from "#agent/checks/run-check";
import { startDeadline } from "#deadline";
import * as limits from "#limits";
import type { Monitor } from "#check/monitor";
import { cutText } from "#text";
import { batchResult } from "#wire/write-result";
import type { CheckNowAnswer } from "#transport/watch";
import { after, epochMillis } from "#units";

export interface ChecksNowTools extends CheckTools {
  readonly gate: Gate;
  /** The monitors that run, by id. */
  readonly monitors: () => ReadonlyMap<string, Monitor>;
}

/**
 * Checks that somebody asked for. They go through the gate as slots do, but beside them: they take no slot's place in
 * the schedule, and their results are answered and never reported.
 */
export class ChecksNow {
  readonly #tools: ChecksNowTools;
  #running = 0;

  constructor(tools: ChecksNowTools) {
    this.#tools = tools;
  }

  /** Never rejects. `signal` aborts when the agent stops or nobody waits for the answer any more. */
  async run(monitorId: string, signal: AbortSignal): Promise<CheckNowAnswer> {
    if (signal.aborted) return stopping;
    const monitor = this.#tools.monitors().get(monitorId);
    if (monitor === undefined)
      return refused(`this agent runs no monitor ${cutText(monitorId, limits.messageIdCharsMax)}`);
    if (this.#running >= limits.checksNowMax)
      return refused(
        `${this.#running} checks that were asked for run already: ask again when one has ended`,
      );
    this.#running += 1;
    try {
      return await this.#check(monitor, signal);
    } finally {
      this.#running -= 1;
    }
  }

  async #check(monitor: Monitor, signal: AbortSignal): Promise<CheckNowAnswer> {
    const { gate, clock } = this.#tools;
    using patience = startDeadline(clock, limits.checkNowTimeout, signal);
    using permit = await gate.enter(patience.signal);
    if (permit === null) return signal.aborted ? stopping : tooLong;
    const until = after(clock.wall(), limits.checkNowRetriesWithin);
    const result = await runCheck({ monitor, at: noSlot, until }, this.#tools, patience.signal);
    if (result === null) return signal.aborted ? stopping : tooLong;
    return { ran: true, result: batchResult(result) };
  }
}

/** No slot lies there, so the answer can never be taken for the result of one. */
const noSlot = epochMillis(0);

const refused = (error: string): CheckNowAnswer => ({ ran: false, error });
const stopping = refused("the agent is stopping and begins no check");
const tooLong = refused(`the check did not end within ${limits.checkNowTimeout / 1000} s`);
