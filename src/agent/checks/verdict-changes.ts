import { monitorFields } from "#agent/prober/checks/monitor-log-fields";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import * as checkLimits from "#limits/check-limits";
import type { Logger } from "#base/log";
import { LogLimit } from "#base/log-limit";
import type { Monitor } from "#check/monitor";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { stateAfter } from "#check/slowness";
import { between, type EpochMillis } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/** All monitors share one limit. */
const changes = "status changes";

interface Standing {
  readonly status: ResultStatus;
  readonly since: EpochMillis;
}

/**
 * Says when a monitor's verdict changes, and not what stays: a thousand checks that keep failing are no line. When
 * many change at once, the first have a line each, and the rest are a number that later results bring.
 */
export class VerdictChanges {
  readonly #log: Logger;
  readonly #limit: LogLimit;
  readonly #standing = new Map<string, Standing>();

  constructor(clock: Clock, log: Logger) {
    this.#log = log;
    this.#limit = new LogLimit(clock, log, {
      linesMax: limits.verdictLinesMax,
      span: limits.verdictLinesSpan,
    });
  }

  note(result: Result, monitor: Monitor): void {
    const { monitorId, startedAt, failure } = result;
    this.#sayLeftOut();
    // Said when it was assigned.
    if (failure?.phase === "config") return;
    const before = this.#standing.get(monitorId) ?? null;
    const status = stateAfter(before?.status ?? null, {
      status: result.status,
      perhapsSlow: isPerhapsSlow(result),
    });
    if (before?.status === status) return;
    this.#standing.set(monitorId, { status, since: startedAt });
    this.#forgetOldest();
    // A monitor that begins well is as expected.
    if (before === null && status === "success") return;
    if (this.#limit.admits(changes)) this.#say(result, monitor, before);
  }

  #say(result: Result, monitor: Monitor, before: Standing | null): void {
    const { status, failure, startedAt, latency } = result;
    const fields = monitorFields(monitor);
    const lasted = before === null ? undefined : Math.max(0, between(before.since, startedAt));
    switch (status) {
      case "error":
        return this.#log.warn("a monitor fails", {
          ...fields,
          "error.type": failure?.code,
          phase: failure?.phase,
          "error.message": failure?.message,
        });
      case "degraded":
        return this.#log.warn("a monitor is degraded", {
          ...fields,
          latency_ms: latency,
          reason: remarksOf(result)[0],
        });
      case "success":
        return this.#log.info(
          before?.status === "degraded"
            ? "a monitor is back under its threshold"
            : "a monitor is back",
          { ...fields, [before?.status === "degraded" ? "degraded_ms" : "down_ms"]: lasted },
        );
    }
  }

  #sayLeftOut(): void {
    const leftOut = this.#limit.takeLeftOut(changes);
    if (leftOut > 0)
      this.#log.warn("too many status changes to log one by one", {
        suppressed: leftOut,
      });
  }

  /** Monitors that are gone are not reported here; a map keeps the order in which its keys came. */
  #forgetOldest(): void {
    if (this.#standing.size <= checkLimits.monitorsPerAgentMax) return;
    const [oldest] = this.#standing.keys();
    if (oldest !== undefined) this.#standing.delete(oldest);
  }
}
