import { packetsOf, PathBudget } from "#agent/looks/path-budget";
import { PathCounter, type PathCounts } from "#agent/looks/path-counts";
import { networkOf, PathUsers, type ReachedEnd } from "#agent/looks/path-users";
import { learned, unknownPath } from "#agent/vantage/path-learning";
import { nextFailureAsk, patienceFor } from "#agent/vantage/path-failure-plan";
import type { PathMemory } from "#agent/vantage/path-memory";
import { nextQuietAsk } from "#agent/vantage/path-plan";
import { changeToSay, type PathFailure } from "#agent/vantage/said-change";
import { isHeard, isSettled } from "#agent/vantage/settled-hop";
import type { Clock } from "#base/clock";
import type { PathHop } from "#check/evidence";
import type { BeatPath } from "#transport/control-plane";
import type { KnownPath, PathFlow, SaidChange } from "#check/known-path";
import * as limits from "#limits/path-limits";
import type { FlowAsk } from "#probes/evidence/flow-trace";
import type { PathEnd } from "#probes/socket/socket-calls";
import { type EpochMillis, type Millis, nanosToMillis } from "#base/units";

interface PathTools {
  readonly ask: FlowAsk;
  readonly memory: PathMemory;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly chance: () => number;
  /** Whether the agent runs a monitor now. */
  readonly runs: (monitorId: string) => boolean;
  /** The operator's rules for targets, another object once they are others; null if there are none. */
  readonly rules: () => object | null;
}

interface SeenChange extends SaidChange {
  /** Whether anything behind the first router, which is this machine's gateway, has answered in this look. */
  readonly isBeyond: boolean;
}

/**
 * Knows the path to each network in which targets are. It traces one after the other while checks pass, a packet at a
 * time, and looks at the path of a check that fails. It sends nothing to an end that no check has just dialled.
 */
export class PathWatch {
  readonly #tools: PathTools;
  readonly #budget = new PathBudget();
  readonly #counter = new PathCounter();
  #users = new PathUsers();
  /** By which rules they were let through. */
  #rules: object | null;
  readonly #paths = new Map<string, KnownPath>();
  /** When each was last traced, and looked at because of a failure; milliseconds of the monotonic clock. */
  readonly #tracedAt = new Map<string, number>();
  readonly #lookedAt = new Map<string, number>();
  /** From which packets are under way that wait for an answer. */
  readonly #portsInUse = new Set<number>();
  #isChanged = false;
  #savedAt = -Infinity;

  constructor(tools: PathTools) {
    this.#tools = tools;
    this.#rules = tools.rules();
    for (const path of tools.memory.load()) this.#paths.set(path.network, path);
  }

  /** The paths whose ends checks have reached since the start, with the monitors that did. */
  *known(): Iterable<BeatPath> {
    for (const path of this.#paths.values()) {
      const monitorIds = this.#users.monitorsOf(path.network);
      if (monitorIds.length > 0 && path.hops.length > 0) yield { path, monitorIds };
    }
  }

  /** The path to the target of a monitor; null if it is not known, or no check of the monitor has passed since the start. */
  pathOf(monitorId: string): KnownPath | null {
    const network = this.#users.networkOf(monitorId);
    const path = network === null ? undefined : this.#paths.get(network);
    return path === undefined || path.hops.length === 0 ? null : path;
  }

  get counts(): PathCounts {
    const used = [...this.#users.networks()].filter(
      (network) => (this.#paths.get(network)?.hops.length ?? 0) > 0,
    );
    const { packets, named, traces, changes } = this.#counter;
    return { known: used.length, packets, named, traces: { ...traces }, changes: { ...changes } };
  }

  /** How many times of traces and looks are remembered. */
  get timesKept(): number {
    return this.#tracedAt.size + this.#lookedAt.size;
  }

  /** A check of a monitor passed; the guard let it through to this end. */
  passed(monitorId: string, end: ReachedEnd): void {
    this.#users.passed(monitorId, end, this.#tools.clock.wall());
  }

  /** Traces until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#tools;
    while (!signal.aborted) {
      this.#forgetUsers();
      this.#forgetTimes();
      const network = this.#due();
      if (network === null) await clock.sleep(limits.traceLookEvery, signal);
      else await this.#trace(network, signal);
      this.#saveNowAndThen();
    }
    this.#save();
  }

  /**
   * What changed of the path to an end that a check just dialled in vain; null if nothing did, it cannot be known, or too
   * many packets were sent for others.
   */
  async changeBefore(
    monitorId: string,
    end: PathEnd,
    failure: PathFailure,
    signal: AbortSignal,
  ): Promise<SeenChange | null> {
    const { clock } = this.#tools;
    const network = networkOf(end.address);
    const known = this.#paths.get(network);
    if (known === undefined) return null;
    const began = this.#now();
    if (began - (this.#lookedAt.get(network) ?? -Infinity) < limits.traceEvery) return null;
    // It goes through all monitors, so the failures that are not looked at go without.
    this.#forgetUsers();
    if (!this.#mayAsk(known.flow, end)) return null;
    this.#lookedAt.set(network, began);
    const answers = await this.#look(known, failure, signal);
    const passedAt = this.#passedAt(monitorId, network, failure);
    const change = changeToSay({ known, answers, failure, passedAt, at: clock.wall() });
    const { address } = known.flow;
    if (change !== null) this.#counter.named += 1;
    if (change === null) return null;
    const isBeyond = answers.some((one) => one.ttl > 1 && isHeard(one));
    return { change, to: address === end.address ? address : network, isBeyond };
  }

  /**
   * A connection that stalled says nothing of a hop over which another monitor has passed since. Large packets do: the
   * other may have sent small ones. So does silence: the other's connections may go another way.
   */
  #passedAt(monitorId: string, network: string, failure: PathFailure): EpochMillis | null {
    const own = this.#users.passedAt(monitorId);
    return failure === "stalled" && own !== null ? this.#users.newestPassIn(network) : own;
  }

  /** Monitors that were taken away, and all of them when the rules are others: those that may be checked pass again. */
  #forgetUsers(): void {
    const { rules, runs } = this.#tools;
    this.#users.forgetOthers(runs);
    if (rules() === this.#rules) return;
    this.#rules = rules();
    this.#users = new PathUsers();
  }

  /** Times that keep nothing back any more, of networks that are gone. */
  #forgetTimes(): void {
    const past = this.#now() - limits.traceEvery;
    for (const [network, at] of this.#lookedAt) if (at <= past) this.#lookedAt.delete(network);
    for (const [network, at] of this.#tracedAt)
      if (at <= past && !this.#paths.has(network) && this.#users.endIn(network) === null)
        this.#tracedAt.delete(network);
  }

  /** Only what checks of this run have reached, or have just dialled. */
  #mayAsk(flow: PathFlow, end: PathEnd): boolean {
    return flow.address === end.address || this.#users.hasReached(flow);
  }

  async #look(
    known: KnownPath,
    failure: PathFailure,
    signal: AbortSignal,
  ): Promise<readonly PathHop[]> {
    const answers: PathHop[] = [];
    const until = this.#now() + limits.failurePatience;
    while (!signal.aborted && this.#now() < until) {
      // A packet of a trace has the port for a moment.
      if (this.#portsInUse.has(known.flow.sourcePort)) {
        await this.#tools.clock.sleep(limits.portPause, signal);
        continue;
      }
      const wall = this.#tools.clock.wall();
      const ttl = nextFailureAsk(known, answers, wall, failure !== "unanswered");
      if (ttl === null) break;
      const hop = await this.#ask("failure", known.flow, ttl, patienceFor(known, ttl), signal);
      if (hop === null) break;
      answers.push(hop);
    }
    return answers;
  }

  /** The network whose turn it is: one that is about to be known, then one that is not, then the oldest. */
  #due(): string | null {
    const now = this.#now();
    const wall = this.#tools.clock.wall();
    let best: { readonly network: string; readonly rank: number } | null = null;
    for (const network of this.#users.networks()) {
      const tracedAt = this.#tracedAt.get(network);
      if (tracedAt !== undefined && now - tracedAt < limits.traceEvery) continue;
      const path = this.#paths.get(network);
      if (path === undefined && this.#paths.size >= limits.pathsMax && !this.#forgetUnused())
        continue;
      const isLearning = path?.hops.some((hop) => !isSettled(hop, wall)) === true;
      const rank = isLearning ? -Infinity : (tracedAt ?? -1);
      if (best === null || rank < best.rank) best = { network, rank };
    }
    return best?.network ?? null;
  }

  #forgetUnused(): boolean {
    const unused = this.#paths
      .keys()
      .find((network) => this.#users.monitorsOf(network).length === 0);
    return unused !== undefined && this.#paths.delete(unused);
  }

  async #trace(network: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#tools;
    this.#tracedAt.set(network, this.#now());
    const kept = this.#pathFor(network);
    if (kept === null) return;
    const answers: PathHop[] = [];
    while (!signal.aborted) {
      this.#forgetUsers();
      if (!this.#users.hasReached(kept.flow)) return;
      const known = kept.hops.length === 0 && kept.length === null ? null : kept;
      const ttl = nextQuietAsk(known, answers, clock.wall());
      if (ttl === null) break;
      const hop = await this.#ask("quiet", kept.flow, ttl, limits.askPatience, signal);
      await clock.sleep(limits.quietPace, signal);
      // Its port is in use, or there is no way out: the next trace tries again.
      if (hop === null) {
        if (!signal.aborted) this.#counter.traces.unsent += 1;
        return;
      }
      answers.push(hop);
    }
    // A trace that is cut short shows nothing of what it did not come to.
    if (signal.aborted) return;
    const path = learned(kept, answers, clock.wall());
    this.#counter.traced(kept, path, answers, clock.wall());
    this.#paths.set(network, path);
    this.#isChanged = true;
  }

  /** What is known of a network, for a flow to an end that checks reach; another end has to be learned anew. */
  #pathFor(network: string): KnownPath | null {
    const kept = this.#paths.get(network);
    if (kept !== undefined && this.#users.hasReached(kept.flow)) return kept;
    const end = this.#users.endIn(network);
    if (end === null) return null;
    const { sourcePortMin, sourcePortMax } = limits;
    const sourcePort =
      sourcePortMin + Math.floor(this.#tools.chance() * (sourcePortMax - sourcePortMin));
    return unknownPath(network, { ...end, sourcePort }, this.#tools.clock.wall());
  }

  /** Waits for the minute's packets while all is well; a failure goes without. */
  async #ask(
    purpose: "quiet" | "failure",
    flow: PathFlow,
    ttl: number,
    patience: Millis,
    signal: AbortSignal,
  ): Promise<PathHop | null> {
    const { ask, clock } = this.#tools;
    while (!this.#budget.hasRoom(purpose, this.#now())) {
      if (purpose === "failure" || signal.aborted) return null;
      await clock.sleep(limits.quietPace, signal);
    }
    const sent = this.#budget.reserve(this.#now());
    this.#portsInUse.add(flow.sourcePort);
    const hop = await ask(flow, ttl, patience, signal).finally(() =>
      this.#portsInUse.delete(flow.sourcePort),
    );
    sent.packets = packetsOf(hop, flow);
    if (hop !== null) this.#counter.packets += sent.packets;
    return hop;
  }

  #saveNowAndThen(): void {
    if (this.#isChanged && this.#now() - this.#savedAt >= limits.pathFileEvery) this.#save();
  }

  #save(): void {
    if (!this.#isChanged) return;
    this.#tools.memory.save([...this.#paths.values()]);
    this.#isChanged = false;
    this.#savedAt = this.#now();
  }

  #now(): number {
    return nanosToMillis(this.#tools.clock.monotonic());
  }
}
