import { backoff } from "#backoff";
import { Hopeless } from "#agent/hopeless";
import { nextReports } from "#agent/replay";
import type { ServiceLink } from "#agent/service-link";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Logger } from "#log";
import type { Result } from "#result";
import { type ControlPlane, type Receipt, ServiceError } from "#transport/control-plane";
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
 * Hands results to the service until each is acknowledged: each monitor's in the order of its slots, monitors without
 * a backlog first, and a backlog at a pace that leaves the service room for the rest. What the service fails on is
 * kept and sent again; what it rejects is dropped and counted. It never holds up a check.
 */
export class Reporter {
  readonly #tools: ReporterTools;
  readonly #counts = { accepted: 0, duplicate: 0, rejected: 0, givenUp: 0 };
  readonly #hopeless: Hopeless;
  /** Calls in a row that failed as a whole. */
  #failures = 0;
  #retryAfter: Millis | null = null;
  /** Whether it was said that the service fails on results. */
  #failing = false;
  /** Results in one call: fewer while the service fails on a call as a whole, until it is clear on which of them. */
  #atOnce = Infinity;
  /** Calls with a single result that the service failed on. */
  #failedAlone = 0;

  constructor(tools: ReporterTools) {
    this.#tools = tools;
    this.#hopeless = new Hopeless(tools.clock, tools.chance);
  }

  get counts(): ReportCounts {
    return { ...this.#counts };
  }

  add(result: Result): void {
    this.#tools.spool.add(reportOf(result));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, link } = this.#tools;
    while (!signal.aborted) {
      await this.#pause(signal);
      while (link.state === "refused" && !signal.aborted) await this.#linkChanges(signal);
      while (!signal.aborted && (await this.#reportSome(signal)) === "goes on")
        await clock.sleep(limits.replayPause, signal);
    }
  }

  /**
   * Sends what waits, at no pace; true when nothing is left. What would be lost with the process is tried until the
   * signal aborts; what is on disk can wait for the next start.
   */
  async flush(signal: AbortSignal): Promise<boolean> {
    const { spool, clock } = this.#tools;
    while (spool.size > 0 && !signal.aborted) {
      const went = await this.#reportSome(signal);
      if (went === "goes on") continue;
      if (went === "nothing to send" || spool.durable) break;
      await clock.sleep(this.#retryAfter ?? limits.reportEvery, signal);
    }
    return spool.size === 0;
  }

  /** After a failure the pause grows; it ends when a pull or a heartbeat finds the service, unless that asked for it. */
  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, chance } = this.#tools;
    if (this.#failures === 0) return clock.sleep(limits.reportEvery, signal);
    if (this.#retryAfter !== null)
      return clock.sleep(millis(Math.min(this.#retryAfter, limits.retryAfterMax)), signal);
    const pause = backoff(this.#failures, limits.backoffMax, chance());
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    await Promise.race([clock.sleep(pause, either), this.#linkIsUp(either)]);
    over.abort();
  }

  async #linkIsUp(signal: AbortSignal): Promise<void> {
    do await this.#linkChanges(signal);
    while (this.#tools.link.state !== "up" && !signal.aborted);
  }

  async #linkChanges(signal: AbortSignal): Promise<void> {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    await Promise.race([this.#tools.link.changed, aborted]);
    signal.removeEventListener("abort", onAbort);
  }

  /** One call, or a few plain ones. */
  async #reportSome(signal: AbortSignal): Promise<Went> {
    const { controlPlane, spool } = this.#tools;
    const most = Math.min(controlPlane.reportsAtOnce, this.#atOnce);
    const reports = nextReports(spool, most, (monitorId) => this.#hopeless.isHeld(monitorId));
    if (reports.length === 0) return "nothing to send";
    try {
      const receipts = await controlPlane.report(reports, signal);
      this.#atOnce *= 2;
      return this.#settle(reports, receipts);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#failed(reports, error);
    }
  }

  #succeeded(): Went {
    const { link, log } = this.#tools;
    if (this.#failing) log.info("the service takes results again");
    this.#failing = false;
    this.#failures = 0;
    this.#retryAfter = null;
    // A refused token is believed again only when a pull has succeeded.
    if (link.state !== "refused") link.succeeded();
    return "goes on";
  }

  /** A call failed as a whole. One result may be what the service cannot bear: halves find it. */
  #failed(reports: readonly Report[], error: ServiceError): Went {
    const { reason } = error;
    const isAlone = reports.length === 1;
    if (reason === "rejected" || reason === "internal")
      this.#atOnce = Math.ceil(reports.length / 2);
    if (reason === "rejected") {
      if (isAlone) this.#drop(reports, error.message);
      return "goes on";
    }
    this.#noteFailure(error);
    if (reason !== "internal" || !isAlone) return "is in trouble";
    // Perhaps it is this one alone: others are tried, but not all of them on a service that is out of order.
    this.#failedOn(reports);
    this.#failedAlone += 1;
    return this.#failedAlone % limits.ingestAttemptsMax === 0 ? "is in trouble" : "goes on";
  }

  #noteFailure(error: ServiceError): void {
    const { link, log } = this.#tools;
    // That the service fails on results says nothing of the way to it, which pulls and heartbeats may find in order.
    if (error.reason === "internal" || error.reason === "garbage") {
      if (!this.#failing)
        log.warn("the service fails on results: they are kept and sent again", {
          "error.type": error.reason,
          "error.message": error.message,
        });
      this.#failing = true;
    } else link.failed(error);
    this.#failures += 1;
    this.#retryAfter = error.retryAfter;
  }

  /** Takes the receipts in. Without one a report goes on waiting. */
  #settle(reports: readonly Report[], receipts: readonly (Receipt | null)[]): Went {
    const settled: Report[] = [];
    const rejected: Report[] = [];
    const failedOn: Report[] = [];
    let why = "";
    let failed: ServiceError | null = null;
    receipts.forEach((receipt, index) => {
      const report = reports[index];
      if (report === undefined || receipt === null) return;
      switch (receipt.outcome) {
        case "accepted":
        case "duplicate":
          this.#counts[receipt.outcome] += 1;
          settled.push(report);
          return;
        case "rejected":
          why ||= receipt.reason;
          rejected.push(report);
          return;
        case "retry":
          if (receipt.error.reason === "internal") failedOn.push(report);
          else failed ??= receipt.error;
      }
    });
    this.#forget(settled);
    this.#drop(rejected, why);
    this.#failedOn(failedOn);
    return this.#concluded(settled.length + rejected.length, failedOn, failed);
  }

  #concluded(answered: number, failedOn: readonly Report[], failed: ServiceError | null): Went {
    if (failed !== null) this.#noteFailure(failed);
    else if (answered > 0) return this.#succeeded();
    else if (failedOn.length > 0) this.#noteFailure(everyResult);
    return "is in trouble";
  }

  /** What fails for too often while others get through stood before the rest of its monitor for ever. */
  #failedOn(reports: readonly Report[]): void {
    const { accepted, duplicate } = this.#counts;
    for (const report of reports) {
      const { monitorId } = report;
      if (!this.#hopeless.failed(monitorId, accepted + duplicate)) continue;
      this.#counts.givenUp += 1;
      this.#tools.spool.settle([report.id]);
      this.#tools.log.warn("the service fails on a result again and again: it is given up", {
        monitor: monitorId,
        slot: report.slot,
      });
    }
  }

  #drop(reports: readonly Report[], reason: string): void {
    if (reports.length === 0) return;
    this.#counts.rejected += reports.length;
    this.#forget(reports);
    this.#tools.log.warn("the service rejects results: they are dropped", {
      results: reports.length,
      monitor: reports[0]?.monitorId,
      "error.message": reason,
    });
  }

  #forget(reports: readonly Report[]): void {
    if (reports.length === 0) return;
    this.#tools.spool.settle(reports.map(({ id }) => id));
    for (const { monitorId } of reports) this.#hopeless.forget(monitorId);
  }
}

/** What came of an attempt to report: whether to send more, to wait for more, or to leave the service alone. */
type Went = "goes on" | "nothing to send" | "is in trouble";

const everyResult = new ServiceError("internal", "the service failed on every result of a call");
