import { Repeats } from "#agent/checks/log-limit";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Logger } from "#log";
import type { Result } from "#check/result";
import { between, type EpochMillis } from "#units";
import type { ResultStatus } from "#check/verdict";

interface Standing {
  readonly status: ResultStatus;
  readonly since: EpochMillis;
}

/**
 * Says when a monitor's verdict changes, and not what stays: a thousand checks that go on failing are no line. When
 * many change at once, the first are told one by one and the rest as a number, with the results that come later.
 */
export class VerdictChanges {
  readonly #log: Logger;
  readonly #repeats: Repeats;
  readonly #standing = new Map<string, Standing>();

  constructor(clock: Clock, log: Logger) {
    this.#log = log;
    this.#repeats = new Repeats(clock, limits.verdictLinesMax, limits.verdictLinesSpan);
  }

  note(result: Result): void {
    const { monitorId, status, startedAt, failure } = result;
    this.#sayLeftOut();
    // Said when it was assigned.
    if (failure?.phase === "config") return;
    const before = this.#standing.get(monitorId) ?? null;
    if (before?.status === status) return;
    this.#standing.set(monitorId, { status, since: startedAt });
    this.#forgetOldest();
    // A monitor that begins well is as expected.
    if (before === null && status === "success") return;
    if (this.#repeats.admits()) this.#say(result, before);
  }

  #say(
    { monitorId, kind, status, failure, startedAt, latency }: Result,
    before: Standing | null,
  ): void {
    const fields = { monitor: monitorId, kind };
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
        return this.#log.warn("a monitor is degraded", { ...fields, latency_ms: latency });
      case "success":
        return this.#log.info(
          before?.status === "degraded" ? "a monitor is quick again" : "a monitor is back",
          { ...fields, [before?.status === "degraded" ? "degraded_ms" : "down_ms"]: lasted },
        );
    }
  }

  #sayLeftOut(): void {
    const leftOut = this.#repeats.takeLeftOut();
    if (leftOut > 0)
      this.#log.warn("more monitors changed their verdicts than are told one by one", {
        "left out": leftOut,
      });
  }

  /** Monitors that are gone are not told to us; a map keeps the order in which its keys came. */
  #forgetOldest(): void {
    if (this.#standing.size <= limits.monitorsPerAgentMax) return;
    const [oldest] = this.#standing.keys();
    if (oldest !== undefined) this.#standing.delete(oldest);
  }
}
