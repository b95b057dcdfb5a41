import { backoff } from "#backoff";
import type { ServiceLink } from "#agent/service-link";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Logger } from "#log";
import { nextReports } from "#agent/replay";
import type { Result } from "#result";
import {
  type ControlPlane,
  type Receipt,
  refusesToken,
  ServiceError,
} from "#transport/control-plane";
import { type Report, reportOf } from "#transport/report";
import type { Spool } from "#transport/spool";
import { millis, type Millis } from "#units";

export interface ReporterTools {
  readonly controlPlane: ControlPlane;
  readonly spool: Spool;
  readonly link: ServiceLink;
  readonly clock: Clock;
  readonly log: Logger;
  readonly chance: () => number;
}

export interface ReportCounts {
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** Results that a service failed on for too often, beside those that the spool had no room for. */
  readonly givenUp: number;
}

/**
 * Hands results to the service: in batches, oldest first, until each is acknowledged. What the service fails on is
 * kept and sent again; what it rejects is dropped and counted. It never holds up a check.
 */
export class Reporter {
  readonly #tools: ReporterTools;
  readonly #counts = { accepted: 0, duplicate: 0, rejected: 0, givenUp: 0 };
  /** How often in a row the service failed on a result of a monitor. */
  readonly #failedOn = new Map<string, number>();
  #failures = 0;
  #retryAfter: Millis | null = null;

  constructor(tools: ReporterTools) {
    this.#tools = tools;
  }

  get counts(): ReportCounts {
    return { ...this.#counts };
  }

  add(result: Result): void {
    this.#tools.spool.add(reportOf(result));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#tools;
    while (!signal.aborted) {
      await clock.sleep(this.#pause(), signal);
      if (this.#tools.link.state === "refused") await this.#untilChanged(signal);
      while (!signal.aborted && this.#tools.spool.size > 0 && (await this.#reportSome(signal)));
    }
  }

  /** Sends what waits, without patience for failures; true when nothing is left. */
  async flush(signal: AbortSignal): Promise<boolean> {
    while (this.#tools.spool.size > 0 && !signal.aborted)
      if (!(await this.#reportSome(signal))) return false;
    return this.#tools.spool.size === 0;
  }

  #pause(): Millis {
    if (this.#retryAfter !== null) return millis(Math.min(this.#retryAfter, limits.retryAfterMax));
    return this.#failures === 0
      ? limits.reportEvery
      : backoff(this.#failures, limits.backoffMax, this.#tools.chance());
  }

  async #untilChanged(signal: AbortSignal): Promise<void> {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    await Promise.race([this.#tools.link.changed, aborted]);
    signal.removeEventListener("abort", onAbort);
  }

  /** One batch; false when the service should be left alone for a while. */
  async #reportSome(signal: AbortSignal): Promise<boolean> {
    const { controlPlane, spool, link } = this.#tools;
    const reports = nextReports(spool, limits.ingestBatchMax);
    // Some wait on a disk that cannot be read just now.
    if (reports.length === 0) return false;
    try {
      const receipts = await controlPlane.report(reports, signal);
      const failed = this.#settle(reports, receipts);
      if (failed === null) return this.#succeeded();
      return this.#failed(failed);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The batch as a whole is wrong: sent again it would block everything behind it for ever.
      if (error.reason === "rejected") {
        this.#drop(reports, error.message);
        return true;
      }
      if (refusesToken(error) || error.reason !== "garbage") link.failed(error);
      return this.#failed(error);
    }
  }

  #succeeded(): true {
    this.#failures = 0;
    this.#retryAfter = null;
    // A refused token is believed again only when a pull has succeeded.
    if (this.#tools.link.state !== "refused") this.#tools.link.succeeded();
    return true;
  }

  #failed(error: ServiceError): false {
    this.#failures += 1;
    this.#retryAfter = error.retryAfter;
    return false;
  }

  /** Takes the receipts in; the first failure among them, or null. */
  #settle(reports: readonly Report[], receipts: readonly Receipt[]): ServiceError | null {
    const settled: Report[] = [];
    let failed: ServiceError | null = null;
    reports.forEach((report, index) => {
      const receipt = receipts[index];
      if (receipt === undefined) return;
      switch (receipt.outcome) {
        case "accepted":
        case "duplicate":
          this.#counts[receipt.outcome] += 1;
          settled.push(report);
          return;
        case "rejected":
          this.#drop([report], receipt.reason);
          return;
        case "retry":
          failed ??= receipt.error;
          if (refusesToken(receipt.error)) this.#tools.link.failed(receipt.error);
          else if (receipt.error.reason === "internal") this.#countFailure(report);
      }
    });
    this.#forget(settled);
    this.#giveUpHopeless(reports);
    return failed;
  }

  #countFailure({ monitorId }: Report): void {
    this.#failedOn.set(monitorId, (this.#failedOn.get(monitorId) ?? 0) + 1);
  }

  /**
   * The existing service answers 500 to every result of a monitor that it no longer knows. After so many tries all
   * that wait of that monitor are given up, or they would stand before everybody else's for ever.
   */
  #giveUpHopeless(reports: readonly Report[]): void {
    for (const [monitorId, failures] of this.#failedOn) {
      if (failures < limits.ingestAttemptsMax) continue;
      const hopeless = reports.filter((report) => report.monitorId === monitorId);
      this.#counts.givenUp += hopeless.length;
      this.#forget(hopeless);
      this.#tools.log.warn("the service fails on the results of a monitor: they are given up", {
        monitor: monitorId,
        results: hopeless.length,
      });
    }
  }

  #drop(reports: readonly Report[], reason: string): void {
    this.#counts.rejected += reports.length;
    this.#forget(reports);
    this.#tools.log.warn("the service rejects results: they are dropped", {
      results: reports.length,
      monitor: reports[0]?.monitorId,
      "error.message": reason,
    });
  }

  #forget(reports: readonly Report[]): void {
    this.#tools.spool.settle(reports.map(({ id }) => id));
    for (const { monitorId } of reports) this.#failedOn.delete(monitorId);
  }
}
