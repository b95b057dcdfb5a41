import type { AgentOptions } from "#agent/agent-options";
import { beatOf } from "#agent/link/beat";
import { aborted } from "#base/aborted";
import type { AgentStatus } from "#agent/agent-status";
import type { ResultSink } from "#agent/checks/result-sink";
import { auditRemarks, AuditWatch } from "#agent/link/audit-watch";
import { Assignments } from "#agent/link/assignments";
import { Certainty } from "#agent/checks/uncertainty";
import { ChecksNow } from "#agent/checks/checks-now";
import { Heartbeat } from "#agent/link/heartbeat";
import { Judgement } from "#agent/checks/judgement";
import { Lateness } from "#agent/checks/lateness";
import { Lifecycle } from "#agent/lifecycle";
import { fieldsOfMonitor } from "#agent/prober/checks/monitor-log-fields";
import { Reporter } from "#agent/link/reporter";
import { RunRecord } from "#agent/link/run-record";
import { noRuling, RefusedTargets } from "#agent/checks/refused-targets";
import type { Checker } from "#agent/prober/checker";
import type { PlannedCheck } from "#agent/prober/schedule/scheduler";
import { ServiceLink } from "#agent/link/service-link";
import { type PathsInUse, pathsInUse } from "#agent/looks/paths-in-use";
import { VerdictChanges } from "#agent/checks/verdict-changes";
import { openVantage } from "#agent/looks/open-vantage";
import type { VantageWatch } from "#agent/looks/vantage-watch";
import { Watcher } from "#agent/link/watcher";
import { SpoolSaves } from "#agent/link/spool-saves";
import { type AgentEnd, stopAgent } from "#agent/stop";
import type { Monitor } from "#check/monitor";
import { noAuditMemory } from "#agent/state/audit-file";
import { noAssignmentMemory } from "#agent/state/assignment-file";
import type { Beat } from "#transport/control-plane";
import type { Watch } from "#transport/watch";
import type { EpochMillis } from "#base/units";
import { missedReport } from "#wire/report";

/** The agent: pulls its assignment, checks it slot by slot, reports what it saw, and says that it lives. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #chance: () => number;
  readonly #lifecycle = new Lifecycle();
  readonly #startedAt: EpochMillis;
  readonly #certainty = new Certainty();
  readonly #lateness = new Lateness();
  readonly #refused = new RefusedTargets();
  readonly #checker: Checker;
  readonly #judgement: Judgement;
  readonly #link: ServiceLink;
  readonly #assignments: Assignments;
  readonly #runs: RunRecord;
  readonly #reporter: Reporter;
  readonly #saves: SpoolSaves;
  readonly #heartbeat: Heartbeat;
  readonly #watcher: Watcher | null;
  readonly #vantage: VantageWatch | null;
  readonly #audit: AuditWatch;
  readonly paths: PathsInUse;
  #location: AgentStatus["location"] = null;

  constructor(options: AgentOptions) {
    const { clock, log, controlPlane, spool, pollInterval, checker } = options;
    this.#vantage = openVantage(options, () => this.#heartbeat.hurry());
    this.paths = pathsInUse(this.#vantage, options);
    this.#options = options;
    const chance = (this.#chance = options.chance ?? Math.random);
    this.#startedAt = clock.wall();
    this.#audit = new AuditWatch({ memory: options.auditMemory ?? noAuditMemory, clock, log });
    const link = (this.#link = new ServiceLink(log, clock, options.serviceUrl));
    this.#checker = checker;
    this.#judgement = new Judgement({
      vantage: this.paths.judging,
      sinks: this.#sinksOf(options),
      hidden: ({ report }, cause) => {
        spool.add(missedReport(report, cause));
        checker.hide(report.monitorId, report.slot);
      },
    });
    const memory = options.memory ?? noAssignmentMemory;
    const runs = (this.#runs = new RunRecord({ memory, checker, clock, log }));
    checker.attend({
      decided: (decided) => this.#judgement.take(decided),
      missed: (missed) => runs.missed(missed),
    });
    const tools = { controlPlane, link, clock, log, chance };
    this.#assignments = new Assignments({ ...tools, memory, checker, runs, pollInterval });
    this.#saves = new SpoolSaves(spool, clock);
    this.#reporter = new Reporter({
      ...tools,
      spool,
      monitorFields: (monitorId) => fieldsOfMonitor(monitorId, checker.monitors),
      rejected: ({ monitorId, slot }) => checker.free(monitorId, slot),
      roundsOver: () => this.#saves.save(),
    });
    this.#heartbeat = this.#heartbeatOf(options, link);
    this.#watcher = options.watch === null ? null : this.#watcherOf(options.watch);
  }

  #heartbeatOf(
    { controlPlane, clock, heartbeatInterval }: AgentOptions,
    link: ServiceLink,
  ): Heartbeat {
    return new Heartbeat({
      controlPlane,
      link,
      clock,
      interval: heartbeatInterval,
      beat: () => this.#beat(),
      heard: (answer, { auditKnown }) => {
        if (answer === null) return;
        this.#audit.heard(answer.audit, auditKnown);
        this.#location = answer;
        this.#vantage?.comparedWith(answer.serverTime);
        this.#assignments.heard(answer.revision);
        this.paths.heard();
      },
    });
  }

  #sinksOf({ clock, log, verdictLog, sinks }: AgentOptions): readonly ResultSink[] {
    const verdicts = new VerdictChanges(clock, verdictLog ?? log);
    return [
      ({ report }) => this.#options.spool.add(report),
      ({ report }) => this.#runs.checked(report),
      ({ result }) => this.#certainty.note(result.outcome),
      ({ lateness }) => this.#lateness.note(lateness),
      ({ result, monitor }) => this.#refused.note(result, monitor),
      ({ result, monitor }) => verdicts.note(result, monitor),
      ...(sinks ?? []),
    ];
  }

  #beat(): Beat {
    const { spool, clock, targets } = this.#options;
    return beatOf({
      startedAt: this.#startedAt,
      spool,
      clock,
      checker: this.#checker,
      reports: this.#reporter.counts,
      certainty: this.#certainty,
      revision: this.#assignments.revision,
      leaving: this.#lifecycle.state === "draining",
      vantage: this.#vantage,
      auditKnown: this.#audit.known,
      remarks: [...auditRemarks(this.#audit.status), ...this.#assignments.sentences],
      targetRules: (targets ?? noRuling).rules,
      paths: this.paths.due(),
    });
  }

  /** The monitors that run, by id. */
  get monitors(): ReadonlyMap<string, Monitor> {
    return this.#checker.monitors;
  }

  /** The location's name; null before the first pull. */
  get region(): string | null {
    return this.#assignments.region;
  }

  get status(): AgentStatus {
    const { schedule, checksInFlight, sinceTick, stuckFor } = this.#checker.status;
    return {
      state: this.#lifecycle.state,
      startedAt: this.#startedAt,
      link: this.#link.state,
      watch: this.#watcher?.state ?? "off",
      linkSince: this.#link.since,
      linkFault: this.#link.fault,
      region: this.region,
      location: this.#location,
      revision: this.#assignments.revision,
      assignmentRefusal: this.#assignments.refusal,
      remarks: this.#assignments.remarks,
      monitors: this.#checker.monitors.size,
      checksInFlight,
      resultsWaiting: this.#options.spool.size,
      resultsGivenUp: this.#options.spool.givenUp,
      spoolDurable: this.#options.spool.durable,
      oldestWaiting: this.#options.spool.oldestSlot,
      schedule,
      sinceTick,
      probesStuckFor: stuckFor,
      latenessP50: this.#lateness.quantile(0.5),
      latenessP99: this.#lateness.quantile(0.99),
      latenessMax: this.#lateness.quantile(1),
      reports: this.#reporter.counts,
      heartbeat: this.#heartbeat.status,
      uncertainResults: this.#certainty.uncertain,
      conditions: this.#vantage?.conditions ?? [],
      warnings: this.#vantage?.warnings ?? [],
      paths: this.paths.counts,
      questionsLeftOut: this.#vantage?.questionsLeftOut ?? 0,
      audit: this.#audit.status,
      targets: this.#refused.standing(this.#options.targets, this.#checker.monitors),
    };
  }

  /** Every monitor with its next slot, in the order in which they were assigned. */
  planned(): Iterable<PlannedCheck> {
    return this.#checker.planned();
  }

  /** The monitors whose checks run now: a stop waits for them. */
  checking(): readonly Monitor[] {
    return this.#checker.checking();
  }

  runs(monitorId: string): boolean {
    return this.#checker.monitors.has(monitorId);
  }

  /**
   * Runs until `drain` aborts: then no slot is taken any more, checks in flight end, and results are reported.
   * `abandon` cuts that short. A fault of our own in one loop stops all and is thrown.
   */
  async run(drain: AbortSignal, abandon: AbortSignal): Promise<AgentEnd> {
    const fault = new AbortController();
    const taking = AbortSignal.any([drain, fault.signal]);
    const ending = new AbortController();
    taking.addEventListener("abort", () => this.#runs.leaving(), { once: true });
    const checks = this.#checker.run(taking);
    const loops = [
      this.#assignments.run(taking),
      checks,
      this.#reporter.run(ending.signal),
      this.#assigned(ending.signal, () => this.#heartbeat.run(ending.signal)),
      this.#saves.run(ending.signal),
      this.#assigned(taking, () => this.#watcher?.run(taking)),
      this.paths.run(taking),
    ].map((loop) => loop.catch((error: unknown) => fault.abort(error)));
    this.#lifecycle.moveTo("running");
    await aborted(taking);
    this.#lifecycle.moveTo("draining");
    const end = await this.#stop({ cut: abandon, over: ending, checks });
    await Promise.all(loops);
    this.#lifecycle.moveTo("stopped");
    if (fault.signal.aborted) throw fault.signal.reason;
    return end;
  }

  #stop(how: Parameters<typeof stopAgent>[1]): Promise<AgentEnd> {
    const parts = {
      options: this.#options,
      checker: this.#checker,
      judgement: this.#judgement,
      heartbeat: this.#heartbeat,
      reporter: this.#reporter,
      runs: this.#runs,
      saves: this.#saves,
    };
    return stopAgent(parts, how);
  }

  /** The first heartbeat can tell how many monitors run; and before the first assignment nothing can have changed. */
  async #assigned(signal: AbortSignal, run: () => Promise<void> | undefined): Promise<void> {
    await Promise.race([this.#assignments.first, aborted(signal)]);
    await run();
  }

  #watcherOf(watch: Watch): Watcher {
    const { clock, log, serviceUrl, signedOnly = false } = this.#options;
    const chance = this.#chance;
    const checks = new ChecksNow({ checker: this.#checker, clock, signedOnly });
    return new Watcher({
      watch,
      clock,
      log,
      chance,
      serviceUrl,
      changed: (revision) => this.#assignments.heard(revision),
      checkNow: (asked, signal) => checks.run(asked, signal),
    });
  }
}
