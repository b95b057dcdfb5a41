import { randomUUID } from "node:crypto";
import {
  shownCondition,
  type VantageCondition,
  type VantageJudgement,
  withCause,
} from "#agent/looks/vantage-judgement";
import type { PlaceSources } from "#agent/looks/place-sources";
import { ConditionLog } from "#agent/looks/condition-log";
import { EvidenceBudget } from "#agent/looks/evidence-budget";
import { GatewayQuestions } from "#agent/looks/gateway-questions";
import { KnownWays } from "#agent/looks/known-ways";
import { MachineLooks } from "#agent/looks/machine-looks";
import { NameQuestions } from "#agent/looks/name-questions";
import { ProxyQuestions } from "#agent/looks/proxy-questions";
import { isReference, ReferenceQuestions } from "#agent/looks/reference-questions";
import { gatewayWayOf } from "#agent/looks/path-looks";
import { FailureEvidence } from "#agent/looks/failure-evidence";
import type { Clock } from "#base/clock";
import { type Cause, hidesTarget, isTargetsOwn } from "#check/cause";
import type { RunnableMonitor } from "#check/monitor";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { Logger } from "#base/log";
import type { PathEnd } from "#probes/socket/socket-calls";
import { epochMillis, millis, nanos, nanosToMillis } from "#base/units";
import type { EpochMillis, Millis } from "#base/units";
import { evidenceOfPlace } from "#agent/vantage/local-evidence";
import type { ReportedEvidence } from "#wire/write-evidence";
import { dependency } from "#agent/vantage/dependency";
import type { Surroundings } from "#agent/vantage/needs";
import type { Observation } from "#agent/vantage/observation";
import { observationOf } from "#agent/vantage/read-observation";
import { Vantage } from "#agent/vantage/vantage";

interface VantageWatchTools {
  readonly sources: PlaceSources;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the agent runs a monitor now. */
  readonly runs: (monitorId: string) => boolean;
  /** Called when a condition begins or ends: the service is to know of it at once. */
  readonly changed: () => void;
}

/**
 * Knows whether this agent's own place is in order. It reads each result, looks at the machine when one fails, and keeps
 * back what says nothing of a target. While all is well it costs one look in half a minute.
 */
export class VantageWatch {
  readonly #tools: VantageWatchTools;
  readonly #vantage: Vantage;
  readonly #conditionLog: ConditionLog;
  readonly #machine: MachineLooks;
  readonly #budget = new EvidenceBudget();
  /** Ends the pause between two looks. */
  #wake = new AbortController();
  readonly #gateways: GatewayQuestions;
  readonly #ways: KnownWays;
  readonly #failures: FailureEvidence;
  readonly #names: NameQuestions;
  readonly #references: ReferenceQuestions;
  readonly #proxies: ProxyQuestions;

  constructor(tools: VantageWatchTools) {
    this.#tools = tools;
    this.#vantage = new Vantage({ newId: randomUUID, wallAt: (at) => this.#wallAt(at) });
    const { sources, clock } = tools;
    this.#conditionLog = new ConditionLog(tools.log);
    const { tracePath } = sources;
    const asking = { sources, clock, tracePath, budget: this.#budget, now: () => this.#now() };
    this.#ways = new KnownWays(asking);
    this.#gateways = new GatewayQuestions({
      ...asking,
      heldBack: () => this.#machine.sight.heldBack,
      answered: (gateway, at) => this.#answered(gateway, at),
    });
    const deadEnds = (): readonly string[] => this.#gateways.deadEnds;
    this.#machine = new MachineLooks({ ...asking, sources, deadEnds });
    this.#names = new NameQuestions({
      ...asking,
      answered: (resolvers) => {
        this.#machine.learn({ resolvers });
      },
    });
    this.#failures = new FailureEvidence({ ...asking, names: this.#names });
    this.#proxies = new ProxyQuestions({ ...asking, vantage: this.#vantage });
    this.#references = new ReferenceQuestions({
      ...asking,
      around: () => this.#around(),
      observed: (seen, outcome) => {
        this.#vantage.noteReference(seen);
        this.#dialled({ outcome }, seen);
      },
    });
  }

  get conditions(): readonly VantageCondition[] {
    return this.#vantage.conditions.map((one) =>
      shownCondition(one, {
        since: this.#wallAt(one.since),
        place: evidenceOfPlace(one.dependency, this.#machine.sight, this.#names.answers),
      }),
    );
  }

  /** What is broken at this agent's own place while every check still passes, e.g. one of two name servers. */
  get warnings(): readonly Cause[] {
    return this.#vantage.warnings;
  }

  /** Questions after failures that were not asked, because too many packets had been sent for others. */
  get questionsLeftOut(): number {
    return this.#budget.refused;
  }

  /**
   * At once for what passed. `signal` ends every wait: then what is known by then decides. `age` is how long ago the
   * result was decided: what came through before a failure is no proof that anything did after it.
   */
  judge(
    result: Result,
    monitor: RunnableMonitor,
    signal: AbortSignal,
    age: Millis,
  ): VantageJudgement | Promise<VantageJudgement> {
    const seen = this.#observe(result, monitor, this.#now() - age);
    if (seen === null) return { is: "reported", result, evidence: "none" };
    this.#vantage.note(seen);
    const end = this.#dialled(result, seen);
    if (result.failure !== null) return this.#judgeFailure(result, monitor, seen, signal);
    this.#passed(result, end, signal);
    return this.#reported(result, null);
  }

  async #judgeFailure(
    result: Result,
    monitor: RunnableMonitor,
    seen: Observation,
    signal: AbortSignal,
  ): Promise<VantageJudgement> {
    const now = this.#now();
    const isNamed = seen.group === "dns";
    const isAsked =
      isNamed &&
      (await this.#names.ask(signal, this.#isBlindToNames() ? -Infinity : seen.startedAt));
    this.#vantage.look(this.#machine.sight, this.#now());
    const cause = await this.#causeOf(seen, signal);
    this.#logChanges();
    if (cause !== null && hidesTarget(cause)) return { is: "hidden", cause };
    const { result: found, evidence } = await this.#failures.of(result, {
      sight: this.#machine.look(limits.machineLookShared),
      began: now,
      names: isNamed ? (isAsked ? "asked" : "left out") : "no matter",
      target: monitor.target,
      isNarrowWorth: cause === null || isTargetsOwn(cause.scope),
      signal,
    });
    const connection = found.outcome?.evidence ?? null;
    const isNarrow = connection?.onlySmallPass === true;
    return this.#reported(
      found,
      isNarrow ? this.#vantage.ofNarrowWay(seen, connection.address) : cause,
      evidence,
    );
  }

  #passed(result: Result, end: PathEnd | null, signal: AbortSignal): void {
    this.#failures.passed(result.monitorId);
    if (end !== null && this.#tools.sources.evidence === "full") this.#ways.reached(end);
    const dnsTook = nanosToMillis(result.outcome?.phases.dns ?? nanos(0));
    if (dnsTook >= limits.slowNames) void this.#names.ask(signal).then(() => this.#wake.abort());
  }

  /** What a peer has answered is no fault of this machine's, and its verdict waits for none of its files. */
  #observe(result: Result, monitor: RunnableMonitor, at: number): Observation | null {
    const before = this.#machine.look(limits.vantageIdleLookEvery);
    const seen = observationOf(result, monitor, this.#around(), at);
    if (seen === null || seen.blamed.every(({ scope }) => scope !== "machine")) return seen;
    if (this.#machine.look(limits.machineLookKept) === before) return seen;
    return observationOf(result, monitor, this.#around(), at);
  }

  #around(): Surroundings {
    const { sources } = this.#tools;
    const { routersTo } = this.#ways;
    const resolvers = sources.resolvers();
    return { proxying: sources.proxying, resolvers, sight: this.#machine.sight, routersTo };
  }

  /** Where that was, if it lies behind a gateway. */
  #dialled(result: Pick<Result, "outcome">, { cleared }: Observation): PathEnd | null {
    const way = gatewayWayOf(result, this.#machine.sight);
    if (way === null) return null;
    const works = cleared.some(({ subject }) => subject === way.gateway);
    if (this.#gateways.dialled(way, works)) this.#wake.abort();
    return way.end;
  }

  /** The service's clock is known: a wrong clock of ours refuses good certificates. */
  comparedWith(serverTime: EpochMillis): void {
    this.#machine.learn({ clockSkew: this.#tools.clock.wall() - serverTime });
  }

  /** Ends when `signal` aborts. While a condition is open it is looked at again, until it is over. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#gateways.learn(signal);
      await this.#ways.learn(signal);
      const hiding = this.conditions.map(({ cause }) => cause.subject);
      await this.#gateways.askAgain(hiding, signal);
      if (this.warnings.length > 0 || this.#isBlindToNames()) await this.#names.ask(signal);
      this.#vantage.forgetOthers((id) => isReference(id) || this.#tools.runs(id));
      await this.#proxies.askAgain(signal);
      this.#machine.look(limits.machineLookKept);
      this.#failures.forgetOthers(this.#tools.runs);
      this.#vantage.look(this.#machine.sight, this.#now());
      this.#logChanges();
      const open = this.#vantage.conditions.length > 0;
      this.#wake = new AbortController();
      await this.#tools.clock.sleep(
        open ? limits.vantageLookEvery : limits.vantageIdleLookEvery,
        AbortSignal.any([signal, this.#wake.signal]),
      );
    }
  }

  /**
   * A failure that may be due to the gateway asks whether that passes packets on. Where this cannot be asked, it waits for
   * the kernel, which takes some seconds to notice: a little, and longer where several hosts fail in a row. Whatever
   * comes through meanwhile ends the wait.
   */
  async #causeOf(seen: Observation, signal: AbortSignal): Promise<Cause | null> {
    for (;;) {
      const cause = this.#vantage.judge(seen);
      if (cause?.certainty === "proven" || !this.#vantage.mayBeOurs(seen)) return cause;
      const isSettled = (): boolean => !this.#vantage.mayBeOurs(seen);
      if (await this.#references.ask(isSettled, signal)) continue;
      if (await this.#askGateway(seen, signal)) continue;
      const patience = this.#vantage.isSuspectTo(seen)
        ? limits.gatewayPatience
        : limits.evidencePatience;
      const left = seen.endedAt + patience - this.#now();
      if (left <= 0 || signal.aborted) return cause;
      await this.#tools.clock.sleep(millis(Math.min(left, limits.patientLookEvery)), signal);
      this.#lookAgain();
    }
  }

  async #askGateway({ blamed }: Observation, signal: AbortSignal): Promise<boolean> {
    const gateway = blamed.find(({ scope }) => scope === "gateway");
    if (gateway === undefined || !(await this.#gateways.ask(gateway.subject, signal))) return false;
    this.#lookAgain();
    return true;
  }

  /** Packets came back through a gateway, and so through its link. */
  #answered(gateway: string, at: number): void {
    this.#vantage.answered(dependency("gateway", gateway), at);
    const route = this.#machine.sight.routes.find((one) => one.gateway === gateway);
    if (route !== undefined) this.#vantage.answered(dependency("link", route.device), at);
  }

  /** All who wait at one time share it. */
  #lookAgain(): void {
    const before = this.#machine.sight;
    this.#machine.look(limits.machineLookKept);
    if (this.#machine.sight === before) return;
    this.#vantage.look(this.#machine.sight, this.#now());
    this.#logChanges();
  }

  #isBlindToNames(): boolean {
    return this.#vantage.conditions.some(({ dependency }) => dependency.scope === "resolver");
  }

  #reported(
    result: Result,
    cause: Cause | null,
    evidence: ReportedEvidence = "none",
  ): VantageJudgement {
    this.#logChanges();
    return { is: "reported", result: withCause(result, cause), evidence };
  }

  #logChanges(): void {
    if (this.#vantage.isCalm && this.#conditionLog.isQuiet) return;
    if (this.#conditionLog.note(this.conditions, this.warnings)) this.#tools.changed();
  }

  #now(): number {
    return nanosToMillis(this.#tools.clock.monotonic());
  }

  #wallAt(instant: number): EpochMillis {
    return epochMillis(Math.round(this.#tools.clock.wall() - (this.#now() - instant)));
  }
}
