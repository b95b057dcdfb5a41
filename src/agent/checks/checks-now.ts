import type { Checker } from "#agent/prober/checker";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/agent-limits";
import * as checkLimits from "#limits/check-limits";
import * as proberLimits from "#limits/prober-limits";
import type { Monitor } from "#check/monitor";
import { cutText } from "#base/text";
import { messageOf } from "#wire/report";
import type { AskedCheck, CheckNowAnswer } from "#transport/watch";

interface ChecksNowTools {
  readonly checker: Pick<Checker, "monitors" | "checkNow">;
  readonly clock: Clock;
  /** Whether only signed monitors are run, so nothing that is not saved. */
  readonly signedOnly: boolean;
}

/**
 * Checks that a person asked for. They go through the gate as slots do, but in addition to them: they take no slot's place in
 * the schedule, and their results are answered and never reported.
 */
export class ChecksNow {
  readonly #tools: ChecksNowTools;
  #running = 0;

  constructor(tools: ChecksNowTools) {
    this.#tools = tools;
  }

  /** Never rejects. `signal` aborts when the agent stops or the answer is no longer waited for. */
  async run(asked: AskedCheck, signal: AbortSignal): Promise<CheckNowAnswer> {
    if (signal.aborted) return stopping;
    if (asked.of === "trial" && this.#tools.signedOnly) return refused(onlySigned);
    const monitor = this.#monitorOf(asked);
    if (monitor === null) return refused(unknownWords(asked));
    if (this.#running >= limits.checksNowMax)
      return refused(
        `${this.#running} requested checks are already running: try again when one has finished`,
      );
    this.#running += 1;
    try {
      return await this.#check(monitor, signal);
    } finally {
      this.#running -= 1;
    }
  }

  #monitorOf(asked: AskedCheck): Monitor | null {
    if (asked.of === "trial") return asked.monitor;
    return this.#tools.checker.monitors.get(asked.monitorId) ?? null;
  }

  async #check(monitor: Monitor, signal: AbortSignal): Promise<CheckNowAnswer> {
    const { checker, clock } = this.#tools;
    using patience = startDeadline(clock, proberLimits.checkNowTimeout, signal);
    const payload = await checker.checkNow(monitor, patience.signal);
    const result = payload === null ? null : messageOf(payload);
    if (result !== null) return { ran: true, result };
    if (signal.aborted) return stopping;
    return patience.ended === null ? broken : tooLong;
  }
}

const unknownWords = (asked: AskedCheck): string =>
  asked.of === "trial"
    ? "this agent cannot read the monitor: upgrade it to the version of the service"
    : `this agent does not run the monitor ${cutText(asked.monitorId, checkLimits.messageIdCharsMax)}`;

const refused = (error: string): CheckNowAnswer => ({ ran: false, error });
const onlySigned =
  "this agent runs only signed monitors, so it tries none that is not saved and signed: use picket check at its location";
const stopping = refused("the agent is stopping and starts no more checks");
const broken = refused("the check was cut off by a fault of the agent: see its log");
const tooLong = refused(`the check did not end within ${proberLimits.checkNowTimeout / 1000} s`);
