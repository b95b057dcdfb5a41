import { randomUUID } from "node:crypto";
import type { PlaceSources } from "#agent/vantage/place-sources";
import { TraceBudget } from "#agent/vantage/trace-budget";
import type { Clock } from "#clock";
import { type Cause, hidesTarget, isTargetsOwn } from "#check/cause";
import type { RunnableMonitor } from "#check/monitor";
import type { Result } from "#check/result";
import * as limits from "#limits/vantage-limits";
import type { Logger } from "#log";
import { epochMillis, type EpochMillis, millis, nanosToMillis } from "#units";
import { leading } from "#vantage/cause-words";
import { blindSight, type MachineSight } from "#vantage/machine-sight";
import { isWorthTrace } from "#vantage/way-trace";
import { type Observation, observationOf } from "#vantage/observation";
import { type ConditionState, Vantage } from "#vantage/vantage";

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
  /** Called when a condition begins or ends: the service is to hear of it at once. */
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
  #sight: MachineSight = blindSight;
  #lookedAt = -Infinity;
  #asking: Promise<void> | null = null;
  #askedAt = -Infinity;
  readonly #traces = new TraceBudget();

  constructor(tools: VantageWatchTools) {
    this.#tools = tools;
    const { clock } = tools;
    this.#vantage = new Vantage({
      newId: randomUUID,
      wallAt: (instant) => clock.wall() - (this.#now() - instant),
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

  /** Name servers that do not answer while others do. */
  get silentResolvers(): readonly string[] {
    return this.#vantage.silentResolvers;
  }

  /** `signal` ends every wait: then what is known by then decides. */
  async judge(
    result: Result,
    monitor: RunnableMonitor,
    signal: AbortSignal,
  ): Promise<VantageJudgement> {
    const { sources } = this.#tools;
    const now = this.#now();
    const isFailure = result.failure !== null;
    if (isFailure || this.#lookedAt === -Infinity) this.#look(now);
    const around = {
      proxying: sources.proxying,
      resolvers: sources.resolvers(),
      sight: this.#sight,
    };
    const seen = observationOf(result, monitor, around, now);
    if (seen === null) return { is: "reported", result };
    this.#vantage.note(seen);
    if (!isFailure) return this.#reported(result, null);
    if (seen.group === "dns") await this.#askResolvers(signal);
    this.#vantage.look(this.#sight, this.#now());
    const cause = await this.#causeOf(seen, signal);
    this.#logChanges();
    return cause !== null && hidesTarget(cause)
      ? { is: "hidden", cause }
      : this.#reported(await this.#withPath(result, signal), cause);
  }

  /** A failed connection with how far packets to it come now, where there is room for a trace. */
  async #withPath(result: Result, signal: AbortSignal): Promise<Result> {
    const { tracePath } = this.#tools.sources;
    const { outcome } = result;
    const evidence = outcome?.evidence ?? null;
    if (tracePath === null || outcome === null || evidence === null) return result;
    if (!isWorthTrace(evidence, this.#sight) || signal.aborted) return result;
    if (!this.#traces.take(evidence.address, this.#now())) return result;
    const path = await tracePath(evidence.address, evidence.port, signal);
    this.#traces.spent(path?.packets ?? 0);
    return { ...result, outcome: { ...outcome, evidence: { ...evidence, path } } };
  }

  /** The service's clock was heard: a wrong clock of ours refuses good certificates. */
  comparedWith(serverTime: EpochMillis): void {
    this.#sight = { ...this.#sight, clockSkew: this.#tools.clock.wall() - serverTime };
  }

  /** Ends when `signal` aborts. While a condition is open it is looked at again, until it is over. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#lookAgain();
      const open = this.#vantage.conditions.length > 0;
      if (open && this.#isOfNames()) await this.#askResolvers(signal);
      await this.#tools.clock.sleep(
        open ? limits.vantageLookEvery : limits.vantageIdleLookEvery,
        signal,
      );
    }
  }

  /**
   * The kernel takes some seconds to notice that a gateway is gone. A failure that may be due to it waits a little, and
   * longer where several hosts fail in a row; whatever comes through meanwhile ends the wait.
   */
  async #causeOf(seen: Observation, signal: AbortSignal): Promise<Cause | null> {
    for (;;) {
      const cause = this.#vantage.judge(seen);
      if (cause?.certainty === "proven" || !this.#vantage.mayBeOurs(seen)) return cause;
      const patience = this.#vantage.isSuspectTo(seen)
        ? limits.gatewayPatience
        : limits.evidencePatience;
      const left = seen.endedAt + patience - this.#now();
      if (left <= 0 || signal.aborted) return cause;
      await this.#tools.clock.sleep(millis(Math.min(left, limits.patientLookEvery)), signal);
      this.#lookAgain();
    }
  }

  /** All who wait at one time share it. */
  #lookAgain(): void {
    const before = this.#lookedAt;
    this.#look(this.#now());
    if (this.#lookedAt === before) return;
    this.#vantage.look(this.#sight, this.#now());
    this.#logChanges();
  }

  #look(now: number): void {
    if (now - this.#lookedAt < limits.machineLookKept) return;
    this.#lookedAt = now;
    const { resolvers, clockSkew } = this.#sight;
    this.#sight = { ...this.#tools.sources.look(now), resolvers, clockSkew };
  }

  /** Once in a while, whoever asks: all who wait share it. */
  async #askResolvers(signal: AbortSignal): Promise<void> {
    if (this.#now() - this.#askedAt >= limits.vantageLookEvery) {
      this.#askedAt = this.#now();
      this.#asking = this.#tools.sources.askResolvers(signal).then((resolvers) => {
        this.#sight = { ...this.#sight, resolvers };
      });
    }
    await this.#asking;
  }

  #isOfNames(): boolean {
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
        log.warn("this agent's own place is impaired: slots of targets behind it are missed", {
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
    if (isOther) changed();
  }

  #now(): number {
    return nanosToMillis(this.#tools.clock.monotonic());
  }

  #wallAt(instant: number): EpochMillis {
    return epochMillis(Math.round(this.#tools.clock.wall() - (this.#now() - instant)));
  }
}
