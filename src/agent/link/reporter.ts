import { aborted } from "#base/aborted";
import { backoff } from "#base/backoff";
import { Pace } from "#agent/link/backlog-pace";
import { Postponements } from "#agent/link/postponements";
import { nextReports } from "#agent/link/next-reports";
import type { ServiceLink } from "#agent/link/service-link";
import { ReportLog, type ReportLogTools } from "#agent/link/report-log";
import { Suspects } from "#agent/link/suspects";
import { watchTaking } from "#agent/link/taking-watch";
import * as limits from "#limits/agent-limits";
import * as processLimits from "#limits/process-limits";
import * as wireLimits from "#limits/wire-limits";
import {
  type ControlPlane,
  type Receipt,
  isUnreachable,
  refusesToken,
  ServiceError,
} from "#transport/control-plane";
import type { Report } from "#wire/report";
import type { Spool } from "#agent/spool/spool";
import { millis, type Millis } from "#base/units";

interface ReporterTools extends ReportLogTools {
  readonly controlPlane: ControlPlane;
  readonly spool: Spool;
  readonly link: ServiceLink;
  readonly chance: () => number;
  /** Called for each result that the service rejects. */
  readonly rejected: (report: Report) => void;
  /** Called when what could be reported is, before the wait for more. */
  readonly roundsOver: () => void;
}

export interface ReportCounts {
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** Of those rejected: of monitors that the location does not run any more. */
  readonly unassigned: number;
  /** Results that a service failed on for too often, in addition to those that the spool had no room for. */
  readonly givenUp: number;
}

/** What one call came to. */
interface SendingEnd {
  /** Results that the service dealt with: they are not ours any more. */
  readonly served: number;
  /** The first failure; null if there was none. */
  readonly failure: ServiceError | null;
}

/** What to do next: `on` at once, `rest` until more has come or the service is better. */
type NextStep = "on" | "rest";

/**
 * Hands results to the service: in calls of many, until each is acknowledged. Live results go first, backlog at a
 * bounded pace. A call that fails is made smaller until one result is left to blame, and that one is tried by itself.
 * What the service rejects is dropped and counted. It never holds up a check.
 */
export class Reporter {
  readonly #tools: ReporterTools;
  readonly #counts = { accepted: 0, duplicate: 0, rejected: 0, unassigned: 0, givenUp: 0 };
  readonly #suspects: Suspects;
  readonly #postponements: Postponements;
  readonly #pace: Pace;
  readonly #log: ReportLog;
  /** Ends the call under way: only when nothing waits for it any more, or its answer would be lost. */
  readonly #cut = new AbortController();
  /** How many go with one call: fewer after each that failed, more again after each that succeeded. */
  #batchMax = wireLimits.ingestBatchMax;
  #failures = 0;
  #retryAfter: Millis | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(tools: ReporterTools) {
    this.#tools = tools;
    this.#suspects = new Suspects(tools);
    this.#postponements = new Postponements(tools);
    this.#pace = new Pace(tools.clock);
    this.#log = new ReportLog(tools);
  }

  get counts(): ReportCounts {
    return { ...this.#counts };
  }

  /** Reports until `signal` aborts; a call that is under way then continues until `flush` loses its patience. */
  run(signal: AbortSignal): Promise<void> {
    this.#running = this.#run(signal);
    return this.#running;
  }

  /**
   * Sends what waits, as fast as the service takes it and for as long as `patience` lasts; true when nothing is left.
   * It ends sooner where trying on is no use: the token is refused, the service answers that it fails on all that is
   * left, or that cannot be read. What the disk keeps is not worth a wait for a service that is away.
   */
  async flush(patience: AbortSignal): Promise<boolean> {
    const { spool, link, clock } = this.#tools;
    await using taking = watchTaking(spool, clock, patience);
    void aborted(taking.end).then(() => this.#cut.abort());
    // A fault of ours there is logged by whoever runs it.
    await Promise.allSettled([this.#running]);
    let rounds = 0;
    while (spool.size > 0 && !taking.end.aborted && !link.tokenRefused) {
      this.#postponements.clear();
      if ((await this.#round(Infinity)) === "on") continue;
      const isHopeful = this.#postponements.any || this.#suspects.isWorthAnotherTry(spool.waiting);
      if (this.#failures === 0 && !isHopeful) break;
      rounds += 1;
      if (rounds >= limits.stopRoundsMax && link.state === "down" && spool.durable) break;
      await this.#rest(taking.end);
    }
    return spool.size === 0;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { link, spool, controlPlane } = this.#tools;
    while (!signal.aborted) {
      await this.#rest(signal);
      if (link.tokenRefused) await this.#untilUp(signal);
      let next: NextStep = "on";
      while (next === "on" && !signal.aborted && !link.tokenRefused && spool.size > 0) {
        const { reportsSingly } = controlPlane;
        next = await this.#round(
          reportsSingly ? limits.replaySinglyPerSecond : limits.replayBatchedPerSecond,
        );
      }
      this.#tools.roundsOver();
    }
  }

  /** Waits for the next round; a service that is known to be back ends a wait that was for its return. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { clock, link, chance } = this.#tools;
    if (this.#failures === 0) return clock.sleep(limits.reportEvery, signal);
    const pause = backoff(this.#failures, processLimits.backoffMax, chance());
    if (this.#retryAfter !== null) {
      const asked = Math.min(this.#retryAfter, processLimits.retryAfterMax);
      return clock.sleep(millis(Math.max(asked, pause)), signal);
    }
    if (link.state === "up") return clock.sleep(pause, signal);
    const rested = new AbortController();
    const either = AbortSignal.any([signal, rested.signal]);
    await Promise.race([clock.sleep(pause, either), this.#untilUp(either)]);
    rested.abort();
  }

  async #untilUp(signal: AbortSignal): Promise<void> {
    const { link } = this.#tools;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const onAbort = (): void => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    while (!signal.aborted && link.state !== "up") await Promise.race([link.changed, aborted]);
    signal.removeEventListener("abort", onAbort);
  }

  /** One call of many, then one for each suspect whose turn it is. */
  async #round(backlogPerSecond: number): Promise<NextStep> {
    const { spool, controlPlane, link } = this.#tools;
    this.#retryAfter = null;
    const most = controlPlane.reportsSingly
      ? limits.replaySinglyPerSecond
      : wireLimits.ingestBatchMax;
    const backlogMax =
      backlogPerSecond === Infinity ? Infinity : this.#pace.allowance(backlogPerSecond);
    const room = {
      max: Math.min(this.#batchMax, most),
      backlogMax,
      bytesMax: limits.ingestBatchBytesMax,
    };
    const isApart = (id: string): boolean => this.#suspects.has(id) || this.#postponements.has(id);
    const { reports, backlog, full } = nextReports(spool, room, { has: isApart });
    let next: NextStep = full ? "on" : "rest";
    if (reports.length > 0) {
      this.#pace.spend(backlog, backlogPerSecond);
      next = this.#after(reports, await this.#send(reports, "many"), next);
      if (this.#failures > 0) return next;
    }
    // Suspects have their own pauses.
    this.#failures = 0;
    if (!link.tokenRefused) await this.#retrySuspects();
    return next;
  }

  async #retrySuspects(): Promise<void> {
    const { spool } = this.#tools;
    const oldest = this.#suspects
      .due(spool.waiting)
      .flatMap((monitorId) => spool.oldestOf(monitorId, 1));
    for (const report of oldest) {
      const { served, failure } = await this.#send([report], "alone");
      if (served > 0) this.#failures = 0;
      if (failure === null || failure.reason === "internal") continue;
      if (isForLater(failure)) this.#failures += 1;
      this.#retryAfter = failure.retryAfter;
      return;
    }
  }

  /** What follows from a call of many. */
  #after(reports: readonly Report[], { served, failure }: SendingEnd, next: NextStep): NextStep {
    // What it takes later is sent later; others are not kept waiting.
    const isOfFew = failure?.reason === "internal" || failure?.reason === "not_yet";
    if (failure === null || (served > 0 && isOfFew)) {
      this.#failures = 0;
      this.#batchMax = Math.min(wireLimits.ingestBatchMax, this.#batchMax * 2);
      return next;
    }
    if (failure.reason === "cancelled") return "rest";
    // The service answered: one of these is to blame, and which one is found out at once.
    const isAnswer = failure.reason === "internal" || failure.reason === "rejected";
    if (reports.length > 1 && isAnswer && !this.#tools.controlPlane.reportsSingly) {
      this.#batchMax = Math.ceil(reports.length / 2);
      return "on";
    }
    if (!refusesToken(failure) && failure.reason !== "not_yet")
      this.#batchMax = Math.ceil(reports.length / 2);
    this.#failures += 1;
    this.#retryAfter = failure.retryAfter;
    return "rest";
  }

  async #send(reports: readonly Report[], how: "many" | "alone"): Promise<SendingEnd> {
    const { controlPlane, link } = this.#tools;
    let served = 0;
    let failure: ServiceError | null = null;
    const later = new Set<string>();
    const failed = (error: ServiceError): void => {
      // One that shows that the service is not there says more than a result that it failed on.
      if (failure === null || failure.reason === "internal") failure = error;
      // What a suspect meets may be its own fault.
      if (refusesToken(error) || (how === "many" && isUnreachable(error))) link.failed(error);
      else if (link.state === "up" || !isUnreachable(error)) this.#log.failing(error);
    };
    const onReceipt = (report: Report, given: Receipt): void => {
      const receipt = this.#afterClockSet(report, given);
      if (receipt.outcome === "retry") {
        this.#blame(report, receipt.error);
        if (receipt.error.reason === "not_yet") later.add(report.monitorId);
        return failed(receipt.error);
      }
      served += 1;
      this.#settle(report, receipt);
    };
    try {
      await controlPlane.report(reports, onReceipt, this.#cut.signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const [only, ...others] = reports;
      if (only === undefined || others.length > 0) failed(error);
      else onReceipt(only, receiptOf(error));
    }
    if (served > 0) this.#postponements.postpone(later);
    return { served, failure };
  }

  #settle(report: Report, receipt: Exclude<Receipt, { outcome: "retry" }>): void {
    const { spool, link } = this.#tools;
    if (receipt.outcome !== "noted") this.#counts[receipt.outcome] += 1;
    if (receipt.outcome === "rejected") {
      if (receipt.isUnassigned) this.#counts.unassigned += 1;
      this.#tools.rejected(report);
      this.#log.rejected(report.monitorId, receipt);
    }
    spool.settle([report.id]);
    this.#suspects.served(report.monitorId);
    this.#postponements.served(report.monitorId);
    // A refused token is believed again only when a pull has succeeded.
    if (!link.tokenRefused) link.succeeded();
  }

  /** What was made while this machine's clock was ahead has a wrong time, and no service will be right to take it. */
  #afterClockSet({ slot }: Report, receipt: Receipt): Receipt {
    if (receipt.outcome !== "retry" || receipt.error.reason !== "not_yet") return receipt;
    if (slot <= this.#tools.clock.wall() + limits.slotAheadMax) return receipt;
    const reason = "it was made while this machine's clock was ahead";
    return { outcome: "rejected", reason, isUnassigned: false };
  }

  /** The service failed on this very result. */
  #blame({ id, monitorId }: Report, error: ServiceError): void {
    if (refusesToken(error) || isForLater(error) || error.reason === "cancelled") return;
    if (!this.#suspects.failed(monitorId, error)) return;
    this.#counts.givenUp += 1;
    this.#tools.spool.settle([id]);
    this.#log.dropped(monitorId, error);
  }
}

/** The service is there, and takes it at another time. */
const isForLater = ({ reason }: ServiceError): boolean =>
  reason === "rate_limited" || reason === "not_yet";

/** What a failed call of one result says of it. */
const receiptOf = (error: ServiceError): Receipt =>
  error.reason === "rejected"
    ? { outcome: "rejected", reason: error.message, isUnassigned: false }
    : { outcome: "retry", error };
