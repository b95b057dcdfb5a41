import type { FailureCode } from "#check/failure";
import type { Result } from "#check/result";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/vantage-limits";

/**
 * Which failures take their evidence along to the service: the first of a monitor, one with another code, and one every
 * ten minutes. A path that was not traced then, because others were, follows once it is.
 *
 * Inside the agent each failure has its evidence. A monitor that another agent takes over starts again there, for its
 * evidence is of another place.
 */
export class EvidencePace {
  readonly #sent = new Map<string, SentEvidence>();

  /** What of a failure's evidence goes along. `now` is in milliseconds of the monotonic clock. */
  due({ monitorId, failure }: FailedResult, now: number): "all" | "a path" | "nothing" {
    const sent = this.#sent.get(monitorId);
    if (sent === undefined || sent.code !== failure?.code) return "all";
    if (now - sent.at >= limits.evidenceEvery) return "all";
    return sent.lacksPath ? "a path" : "nothing";
  }

  /** The evidence of a failure goes along. */
  sent({ monitorId, failure }: FailedResult, now: number, lacksPath: boolean): void {
    if (failure === null) return;
    if (this.#sent.size >= checkLimits.monitorsPerAgentMax) this.#sent.clear();
    this.#sent.set(monitorId, { code: failure.code, at: now, lacksPath });
  }

  /** The monitor passed: its next failure is a first one. */
  passed(monitorId: string): void {
    this.#sent.delete(monitorId);
  }

  /** Monitors that were taken away. */
  forgetOthers(runs: (monitorId: string) => boolean): void {
    for (const id of this.#sent.keys()) if (!runs(id)) this.#sent.delete(id);
  }
}

type FailedResult = Pick<Result, "monitorId" | "failure">;

interface SentEvidence {
  readonly code: FailureCode;
  readonly at: number;
  readonly lacksPath: boolean;
}
