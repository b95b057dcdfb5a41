import type { PathWatch } from "#agent/looks/path-watch";
import type { ReachedEnd } from "#agent/looks/path-users";
import type { VantageJudgement } from "#agent/looks/vantage-judgement";
import type { VantageWatch } from "#agent/looks/vantage-watch";
import { pathFailureOf } from "#agent/vantage/said-change";
import { hidesTarget, isTargetsOwn } from "#check/cause";
import type { Failure } from "#check/failure";
import type { RunnableMonitor } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { saidChangeWords } from "#check/path-words";
import type { Result } from "#check/result";
import * as checkLimits from "#limits/check-limits";
import { dialledAddress, isLoopback } from "#network/dialled-address";
import { parseHostPort } from "#network/host-port";
import type { Millis } from "#base/units";

/**
 * Judges as the vantage does, and adds to the first failure of a monitor what changed of its path. A failure whose cause
 * lies at this machine or at a name is not the path's.
 */
export class PathJudgement implements Pick<VantageWatch, "judge"> {
  readonly #vantage: Pick<VantageWatch, "judge">;
  readonly #paths: PathWatch;
  /** Whose failure was looked at since it last passed. */
  readonly #failing = new Set<string>();

  constructor(vantage: Pick<VantageWatch, "judge">, paths: PathWatch) {
    this.#vantage = vantage;
    this.#paths = paths;
  }

  judge(
    result: Result,
    monitor: RunnableMonitor,
    signal: AbortSignal,
    age: Millis,
  ): VantageJudgement | Promise<VantageJudgement> {
    const judged = this.#vantage.judge(result, monitor, signal, age);
    if (result.failure !== null) return this.#withPath(judged, result.failure, signal);
    this.#failing.delete(result.monitorId);
    const end = endOf(result.outcome);
    if (end !== null) this.#paths.passed(result.monitorId, end);
    return judged;
  }

  async #withPath(
    judging: VantageJudgement | Promise<VantageJudgement>,
    seen: Failure,
    signal: AbortSignal,
  ): Promise<VantageJudgement> {
    const judged = await judging;
    if (judged.is === "hidden") return judged;
    const { result } = judged;
    const { failure, outcome, cause, monitorId, startedAt } = result;
    const end = endOf(outcome);
    if (failure === null || end === null || signal.aborted) return judged;
    const isDoubtful = cause !== null && mayBeNear(cause);
    if (cause !== null && !isDoubtful && !isPathsOwn(cause)) return judged;
    const kind = pathFailureOf(failure, outcome?.evidence ?? null);
    if (kind === null || this.#failing.has(monitorId)) return judged;
    if (this.#failing.size < checkLimits.monitorsPerAgentMax) this.#failing.add(monitorId);
    const change = await this.#paths.changeBefore(monitorId, end, kind, signal);
    if (change === null) return judged;
    const { isBeyond, ...pathChange } = change;
    // A router that answers from behind this machine's link and gateway shows that these are not at fault.
    const known = isDoubtful && isBeyond ? { cause: null, failure: seen } : { cause, failure };
    const message = `${known.failure.message}; ${saidChangeWords(pathChange, startedAt)}`;
    const place = result.place === null ? null : { ...result.place, pathChange };
    const named = { ...result, ...known, place, failure: { ...known.failure, message } };
    return { ...judged, result: named };
  }
}

/** Whether a cause is no more than a suspicion that packets do not leave this machine's own network. */
const mayBeNear = ({ certainty, scope }: NonNullable<Result["cause"]>): boolean =>
  certainty === "possible" && (scope === "machine" || scope === "link" || scope === "gateway");

/** Whether a cause leaves it open that the path is what failed. */
const isPathsOwn = (cause: NonNullable<Result["cause"]>): boolean =>
  !hidesTarget(cause) &&
  (isTargetsOwn(cause.scope) || cause.scope === "path" || cause.scope === "prefix");

/** What a check dialled, and what a trace can follow it with; null if that is this machine, or is not known. */
function endOf(outcome: Outcome | null): ReachedEnd | null {
  const end = outcome === null ? null : dialledBy(outcome);
  const address = end === null ? null : dialledAddress(end.address);
  return address === null || isLoopback(address) ? null : end;
}

function dialledBy(outcome: Outcome): ReachedEnd | null {
  if (outcome.kind === "dns") {
    const server = outcome.server === null ? null : parseHostPort(outcome.server);
    if (server === null || !server.ok || outcome.transport === "tcp") return null;
    return { address: server.value.host, port: server.value.port, protocol: "udp" };
  }
  const { evidence, addresses } = outcome;
  const end =
    evidence ?? addresses.findLast(({ ended }) => ended === "connected") ?? addresses.at(-1);
  if (end === undefined) return null;
  const { address, port } = end;
  return { address, port, protocol: outcome.kind === "icmp" ? "icmp" : "tcp" };
}
