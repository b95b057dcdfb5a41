import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import type { KnownRouter } from "#agent/vantage/needs";
import * as limits from "#limits/vantage-limits";
import type { PathTracer } from "#probes/evidence/path-trace";
import type { PathEnd } from "#probes/socket/socket-calls";

interface WayTools {
  readonly tracePath: PathTracer;
  readonly budget: EvidenceBudget;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/**
 * The routers before what checks reach, learned while all is well: then it is known which failures lie behind one router.
 * Without it, a silence behind a router may be one that was always there.
 */
export class KnownWays {
  readonly #tools: WayTools;
  readonly #ways = new Map<string, KnownWay>();
  /** By address: each of them with the age of its oldest route. */
  readonly #routers = new Map<string, KnownRouter>();
  /** What came through lately and has no way that is known, or an old one. */
  readonly #wanted = new Map<string, PathEnd>();
  #learnedAt = -Infinity;

  constructor(tools: WayTools) {
    this.#tools = tools;
  }

  /** The furthest first; empty if they are not known. */
  readonly routersTo = (address: string): readonly KnownRouter[] => {
    const routers = this.#ways.get(address)?.routers ?? [];
    return routers.flatMap((router) => this.#routers.get(router) ?? []);
  };

  /** A check came through to an address behind a gateway. */
  reached(end: PathEnd): void {
    const tracedAt = this.#ways.get(end.address)?.tracedAt ?? -Infinity;
    if (this.#tools.now() - tracedAt < limits.wayLearnEvery) return;
    if (this.#wanted.size < limits.waysWantedMax) this.#wanted.set(end.address, end);
  }

  /** Traces one way, at most one in half a minute. */
  async learn(signal: AbortSignal): Promise<void> {
    const { budget, now, tracePath } = this.#tools;
    const [end] = this.#wanted.values();
    if (end === undefined || now() - this.#learnedAt < limits.waysLearnPace || signal.aborted)
      return;
    const expense = budget.take("ways", limits.traceHopsMax, now());
    if (expense === null) return;
    this.#learnedAt = now();
    this.#wanted.delete(end.address);
    const path = await tracePath(end, limits.traceHopsMax, signal);
    expense.packets = path?.packets ?? 0;
    if (path === null || signal.aborted) return;
    const routers = path.hops.flatMap(({ address, ended }) =>
      ended === "hop" && address !== null ? [address] : [],
    );
    this.#ways.delete(end.address);
    if (this.#ways.size >= limits.waysKnownMax) this.#forgetOldest();
    this.#ways.set(end.address, { routers: routers.toReversed(), tracedAt: now() });
    this.#findAges();
  }

  /** The ways are in the order in which they were traced: the first with a router is its oldest. */
  #findAges(): void {
    this.#routers.clear();
    for (const { routers, tracedAt: seenAt } of this.#ways.values())
      for (const address of routers) this.#routers.getOrInsert(address, { address, seenAt });
  }

  #forgetOldest(): void {
    const [oldest] = this.#ways.keys();
    if (oldest !== undefined) this.#ways.delete(oldest);
  }
}

interface KnownWay {
  readonly routers: readonly string[];
  readonly tracedAt: number;
}
