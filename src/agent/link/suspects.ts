import { backoff } from "#base/backoff";
import type { ServiceLink } from "#agent/link/service-link";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import * as processLimits from "#limits/process-limits";
import type { ServiceError } from "#transport/control-plane";
import { millisToNanos, nanos, type Nanos } from "#base/units";

interface Suspect {
  failures: number;
  notBefore: Nanos;
  /** The service answered that it failed; otherwise it is not known whose fault it was. */
  answered: boolean;
  /** Failures while it took what others sent, and failures while it answered anything. */
  whileItTookOthers: number;
  whileItAnswered: number;
  /** What had succeeded at the last failure. */
  served: number;
  successes: number;
  returns: number;
}

interface SuspectTools {
  readonly link: ServiceLink;
  readonly clock: Clock;
  readonly chance: () => number;
}

/**
 * Monitors on whose oldest result the service failed when it was sent by itself. Each is tried again alone, with
 * its own growing pauses, so that none delays another. The existing service answers 500 to a monitor that it no
 * longer knows, and also while its database is away: a result is hopeless only when others were taken in between.
 */
export class Suspects {
  readonly #tools: SuspectTools;
  readonly #suspects = new Map<string, Suspect>();
  /** Results that the service took, or refused with a reason. */
  #served = 0;

  constructor(tools: SuspectTools) {
    this.#tools = tools;
  }

  has(monitorId: string): boolean {
    return this.#suspects.has(monitorId);
  }

  /** The service dealt with a result of this monitor. */
  served(monitorId: string): void {
    this.#served += 1;
    this.#suspects.delete(monitorId);
  }

  /** It failed on the oldest one; true when that one is hopeless, and its successor's turn. */
  failed(monitorId: string, { reason }: ServiceError): boolean {
    const { link, clock, chance } = this.#tools;
    const suspect = this.#suspects.getOrInsertComputed(monitorId, () => this.#fresh());
    const tookOthers = this.#served > suspect.served;
    const answersAtAll = link.successes > suspect.successes;
    suspect.failures += 1;
    suspect.answered = reason === "internal";
    suspect.served = this.#served;
    suspect.successes = link.successes;
    suspect.returns = link.returns;
    const pause = millisToNanos(backoff(suspect.failures, processLimits.backoffMax, chance()));
    suspect.notBefore = nanos(clock.monotonic() + pause);
    if (!suspect.answered) return false;
    if (tookOthers) suspect.whileItTookOthers += 1;
    if (answersAtAll) suspect.whileItAnswered += 1;
    const hopeless =
      (tookOthers && suspect.whileItTookOthers >= limits.ingestAttemptsMax) ||
      (answersAtAll && suspect.whileItAnswered >= limits.ingestAttemptsAloneMax);
    if (hopeless) suspect.notBefore = clock.monotonic();
    return hopeless;
  }

  /** Those whose turn it is, of the monitors of which something waits. Others are forgotten. */
  due(waiting: ReadonlyMap<string, number>): readonly string[] {
    const now = this.#tools.clock.monotonic();
    const due: string[] = [];
    for (const [monitorId, suspect] of this.#suspects) {
      if (!waiting.has(monitorId)) this.#suspects.delete(monitorId);
      else if (now >= suspect.notBefore || this.#serviceCameBack(suspect)) due.push(monitorId);
    }
    return due.slice(0, limits.suspectsAtOnceMax);
  }

  /** Whether some suspect has never got an explicit failure from the service. */
  isWorthAnotherTry(waiting: ReadonlyMap<string, number>): boolean {
    return this.#suspects
      .entries()
      .some(([monitorId, { answered }]) => !answered && waiting.has(monitorId));
  }

  #serviceCameBack({ answered, returns }: Suspect): boolean {
    return !answered && this.#tools.link.returns > returns;
  }

  #fresh(): Suspect {
    const { successes, returns } = this.#tools.link;
    return {
      failures: 0,
      notBefore: nanos(0),
      answered: false,
      whileItTookOthers: 0,
      whileItAnswered: 0,
      served: this.#served,
      successes,
      returns,
    };
  }
}
