import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import type { LogFields, Logger } from "#base/log";
import { LogLimit } from "#base/log-limit";
import type { Receipt, ServiceError } from "#transport/control-plane";

export interface ReportLogTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** What the log says of a monitor in addition to its id. */
  readonly monitorFields: (monitorId: string) => LogFields;
}

type Rejection = Extract<Receipt, { readonly outcome: "rejected" }>;

/** What the log says of results that the service does not take: each sentence at most once a minute. */
export class ReportLog {
  readonly #tools: ReportLogTools;
  readonly #limit: LogLimit;

  constructor(tools: ReportLogTools) {
    this.#tools = tools;
    const { clock, log } = tools;
    this.#limit = new LogLimit(clock, log, { linesMax: 1, span: limits.sameWarningEvery });
  }

  /** The service refused a result for good. */
  rejected(monitorId: string, { reason, isUnassigned }: Rejection): void {
    const fields = { ...this.#tools.monitorFields(monitorId), "error.message": reason };
    if (isUnassigned)
      this.#limit.warn(
        "the service rejects results, and they are dropped: check that their monitor is assigned to this location",
        fields,
      );
    else
      this.#limit.warn(
        "the service rejects results, and they are dropped: check the reason that it gives",
        fields,
      );
  }

  /** The service failed on one result too often. */
  dropped(monitorId: string, { message }: ServiceError): void {
    this.#limit.warn(
      "dropping results that the service keeps failing to store; see the service's log for this monitor",
      { ...this.#tools.monitorFields(monitorId), "error.message": message },
    );
  }

  /** The service is there, and a call failed anyway. */
  failing({ reason, message, retryAfter }: ServiceError): void {
    if (reason === "cancelled") return;
    const fields = { "error.type": reason, "error.message": message };
    if (reason === "rate_limited")
      this.#limit.warn("the service asks for fewer calls: results are kept and sent later", {
        ...fields,
        "retry after": retryAfter,
      });
    else if (reason === "not_yet")
      this.#limit.warn(
        "the service does not take results yet: they are kept and sent again",
        fields,
      );
    else
      this.#limit.warn(
        "the service cannot store results: they are kept and sent again; see its log for the reason",
        fields,
      );
  }
}
