import { randomUUID } from "node:crypto";
import type { PlaceSources } from "#agent/vantage/place-sources";
import { EvidenceBudget } from "#agent/vantage/evidence-budget";
import { GatewayQuestions } from "#agent/vantage/gateway-questions";
import { KnownWays } from "#agent/vantage/known-ways";
import { gatewayWayOf } from "#agent/vantage/path-looks";
import { FurtherEvidence } from "#agent/vantage/further-evidence";
import type { Clock } from "#clock";
import { type Cause, hidesTarget, isTargetsOwn } from "#check/cause";
import type { RunnableMonitor } from "#check/monitor";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { Logger } from "#log";
import { epochMillis, type EpochMillis, type Millis, millis, nanos, nanosToMillis } from "#units";
import { leading } from "#vantage/cause-words";
import { blindSight, type MachineSight } from "#vantage/machine-sight";
import { dependency } from "#vantage/dependency";
import { type Observation, observationOf } from "#vantage/observation";
import type { ConditionState } from "#vantage/condition";
import { Vantage } from "#vantage/vantage";

/** What becomes of a result: it is reported, with the cause if one is known, or nothing was learned of its target. */
export type VantageJudgement =
  | { readonly is: "reported"; readonly result: Result }
  | { readonly is: "hidden"; readonly cause: Cause };

/** A fault of this agent's own place, as a person is shown it. */
export interface VantageCondition {
  readonly cause: Cause;
  readonly state: ConditionState;
}

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
  readonly #known = new Map<string, ConditionState>();
  /** The warnings that the log has. */
  #warned: ReadonlySet<string> = new Set();
  #sight: MachineSight = blindSight;
  #lookedAt = -Infinity;
  #asking: Promise<void> | null = null;
  #askedAt = -Infinity;
  readonly #budget = new EvidenceBudget();
  /** Ends the pause between two looks. */
  #wake = new AbortController();
  readonly #gateways: GatewayQuestions;
  readonly #ways: KnownWays;
  readonly #further: FurtherEvidence;

  constructor(tools: VantageWatchTools) {
    this.#tools = tools;
    this.#vantage = new Vantage({ newId: randomUUID, wallAt: (at) => this.#wallAt(at) });
    const { sources } = tools;
    const { tracePath } = sources;
    const asking = { tracePath, budget: this.#budget, now: () => this.#now() };
    this.#further = new FurtherEvidence({ ...asking, sources });
    this.#ways = new KnownWays(asking);
    this.#gateways = new GatewayQuestions({
      ...asking,
      answered: (gateway, at) => this.#answered(gateway, at),
    });
  }

  get conditions(): readonly VantageCondition[] {
    return this.#vantage.conditions.map(({ dependency, id, since, sentence, affected, state }) => ({
      cause: {
        ...dependency,
        certainty: "proven",
        since: this.#wallAt(since),
        id,
        sentence,
        affected: affected.size,
      },
      state,
    }));
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
   * `signal` ends every wait: then what is known by then decides. `age` is how long ago the result was decided: what came
   * through before a failure is no proof that anything did after it.
   */
  async judge(
    result: Result,
    monitor: RunnableMonitor,
    signal: AbortSignal,
    age: Millis,
  ): Promise<VantageJudgement> {
    const { sources } = this.#tools;
    const now = this.#now();
    const isFailure = result.failure !== null;
    if (isFailure || this.#lookedAt === -Infinity) this.#look(now);
    const around = {
      proxying: sources.proxying,
      resolvers: sources.resolvers(),
      sight: this.#sight,
      routersTo: this.#ways.routersTo,
    };
    const seen = observationOf(result, monitor, around, now - age);
    if (seen === null) return { is: "reported", result };
    this.#vantage.note(seen);
    this.#dialled(result, seen);
    if (!isFailure) {
      const dnsTook = nanosToMillis(result.outcome?.phases.dns ?? nanos(0));
      if (dnsTook >= limits.slowNames)
        void this.#askResolvers(signal).then(() => this.#wake.abort());
      return this.#reported(result, null);
    }
    if (seen.group === "dns")
      await this.#askResolvers(signal, this.#isBlindToNames() ? -Infinity : seen.startedAt);
    this.#vantage.look(this.#sight, this.#now());
    const cause = await this.#causeOf(seen, signal);
    this.#logChanges();
    if (cause !== null && hidesTarget(cause)) return { is: "hidden", cause };
    const traced = await this.#further.path(result, this.#sight, signal);
    if (cause !== null && !isTargetsOwn(cause.scope)) return this.#reported(traced, cause);
    const tried = await this.#further.narrow(traced, monitor.target, signal);
    const evidence = tried.outcome?.evidence ?? null;
    const isNarrow = evidence?.onlySmallPass === true;
    return this.#reported(
      tried,
      isNarrow ? this.#vantage.ofNarrowWay(seen, evidence.address) : cause,
    );
  }

  #dialled(result: Result, { cleared }: Observation): void {
    const way = gatewayWayOf(result, this.#sight);
    if (way === null) return;
    const works = cleared.some(({ subject }) => subject === way.gateway);
    if (this.#gateways.dialled(way, works)) this.#wake.abort();
    const isFull = this.#tools.sources.evidence === "full";
    if (isFull && result.failure === null) this.#ways.reached(way.end);
  }

  /** The service's clock is known: a wrong clock of ours refuses good certificates. */
  comparedWith(serverTime: EpochMillis): void {
    this.#sight = { ...this.#sight, clockSkew: this.#tools.clock.wall() - serverTime };
  }

  /** Ends when `signal` aborts. While a condition is open it is looked at again, until it is over. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#gateways.learn(signal);
      await this.#ways.learn(signal);
      const hiding = this.conditions.map(({ cause }) => cause.subject);
      await this.#gateways.askAgain(hiding, signal);
      if (this.warnings.length > 0 || this.#isBlindToNames()) await this.#askResolvers(signal);
      this.#look(this.#now());
      this.#vantage.forgetOthers(this.#tools.runs, this.#now());
      this.#vantage.look(this.#sight, this.#now());
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
    const route = this.#sight.routes.find((one) => one.gateway === gateway);
    if (route !== undefined) this.#vantage.answered(dependency("link", route.device), at);
  }

  /** All who wait at one time share it. */
  #lookAgain(): void {
    const before = this.#sight;
    this.#look(this.#now());
    if (this.#sight === before) return;
    this.#vantage.look(this.#sight, this.#now());
    this.#logChanges();
  }

  #look(now: number): void {
    const { deadEnds } = this.#gateways;
    const isOld = now - this.#lookedAt >= limits.machineLookKept;
    if (!isOld && deadEnds === this.#sight.deadEnds) return;
    const { resolvers, clockSkew } = this.#sight;
    const machine = isOld ? this.#tools.sources.look(now) : this.#sight;
    if (isOld) this.#lookedAt = now;
    this.#sight = { ...machine, resolvers, clockSkew, deadEnds };
  }

  /** Once in a while, whoever asks: all who wait share it. */
  async #askResolvers(signal: AbortSignal, since = -Infinity): Promise<void> {
    const { sources } = this.#tools;
    // An answer from before a check began says nothing of its failure.
    const isDue = this.#askedAt < since || this.#now() - this.#askedAt >= limits.questionEvery;
    if (isDue && this.#budget.take("names", sources.resolvers().length, this.#now())) {
      this.#askedAt = this.#now();
      this.#asking = sources.askResolvers(signal).then((resolvers) => {
        this.#sight = { ...this.#sight, resolvers };
      });
    }
    await this.#asking;
  }

  #isBlindToNames(): boolean {
    return this.#vantage.conditions.some(({ dependency }) => dependency.scope === "resolver");
  }

  #reported(result: Result, cause: Cause | null): VantageJudgement {
    this.#logChanges();
    if (cause === null || result.failure === null) return { is: "reported", result };
    const seen = result.failure;
    const failure = isTargetsOwn(cause.scope)
      ? seen
      : { ...seen, message: leading(cause, seen.message) };
    return { is: "reported", result: { ...result, failure, cause } };
  }

  /** A condition is one line when it begins, and one when it is over. */
  #logChanges(): void {
    const { log, changed } = this.#tools;
    const open = new Map(this.conditions.map((one) => [one.cause.id, one]));
    const isOther =
      open.size !== this.#known.size || open.keys().some((id) => !this.#known.has(id));
    for (const [id, { cause, state }] of open) {
      if (!this.#known.has(id))
        log.warn("this agent's own place is impaired: checks cannot reach what lies behind it", {
          cause: cause.sentence,
          scope: cause.scope,
          certainty: cause.certainty,
          id,
        });
      this.#known.set(id, state);
    }
    for (const id of this.#known.keys())
      if (!open.has(id)) {
        this.#known.delete(id);
        log.info("this agent's own place is in order again", { id });
      }
    for (const { id, sentence } of this.warnings)
      if (!this.#warned.has(id)) log.warn(`${sentence}: no check fails by it yet`, { id });
    this.#warned = new Set(this.warnings.map(({ id }) => id));
    if (isOther) changed();
  }

  #now(): number {
    return nanosToMillis(this.#tools.clock.monotonic());
  }

  #wallAt(instant: number): EpochMillis {
    return epochMillis(Math.round(this.#tools.clock.wall() - (this.#now() - instant)));
  }
}
