import type { EvidenceBudget } from "#agent/looks/evidence-budget";
import type { PlaceSources } from "#agent/looks/place-sources";
import type { PathTrace } from "#check/evidence";
import * as limits from "#limits/vantage-limits";
import type { PathTracer } from "#probes/evidence/path-trace";
import type { PathEnd } from "#probes/socket/socket-calls";

/** A way that a check took: where it went, and the gateway on it. */
export interface GatewayWay {
  readonly gateway: string;
  readonly end: PathEnd;
}

interface GatewayTools {
  readonly tracePath: PathTracer;
  readonly sources: Pick<PlaceSources, "reaches">;
  readonly budget: EvidenceBudget;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** What this machine itself did not let out, in all; null if unknown. */
  readonly heldBack: () => number | null;
  /** Packets came back through a gateway; `at` is when they were sent. */
  readonly answered: (gateway: string, at: number) => void;
}

/**
 * Whether a gateway passes packets on, for the kernel believes in a dead one for up to 45 s. Connections to addresses
 * that checks have just dialled, with a TTL of 1 and 2, are answered by the first two routers. Their silence towards two
 * addresses proves a fault only of a gateway that answered this way before: many never do.
 */
export class GatewayQuestions {
  readonly #tools: GatewayTools;
  readonly #known = new Map<string, Gateway>();
  /** The same list until one of them changes. */
  #deadEnds: readonly string[] = [];
  /** What this machine had held back when something last came through. */
  #heldBack: number | null = null;

  constructor(tools: GatewayTools) {
    this.#tools = tools;
  }

  /** Gateways that passed nothing on when they were asked last, and through which nothing came since. */
  get deadEnds(): readonly string[] {
    return this.#deadEnds;
  }

  /** A check dialled something behind a gateway. Says whether something can be learned of that for the first time. */
  dialled({ gateway, end }: GatewayWay, works: boolean): boolean {
    if (!this.#known.has(gateway) && this.#known.size >= limits.gatewaysMax) return false;
    const known = this.#known.getOrInsertComputed(gateway, unknownGateway);
    known.ends = [end, ...known.ends.filter(({ address }) => address !== end.address)].slice(
      0,
      limits.gatewayEndsMax,
    );
    if (!works) return false;
    this.#heldBack = this.#tools.heldBack();
    known.works = true;
    this.#judge(gateway, false);
    return known.learnedAt === -Infinity;
  }

  #judge(gateway: string, isDead: boolean): void {
    if (this.#deadEnds.includes(gateway) === isDead) return;
    this.#deadEnds = isDead
      ? [...this.#deadEnds, gateway]
      : this.#deadEnds.filter((one) => one !== gateway);
  }

  /** Learns of gateways that work whether they answer at all; without that, their silence says nothing. */
  async learn(signal: AbortSignal): Promise<void> {
    const { budget, now, tracePath } = this.#tools;
    for (const known of this.#known.values()) {
      const [end] = known.ends;
      const every = known.answers ? limits.gatewayLearnEvery : limits.gatewayLearnAgainEvery;
      const isDue = known.works && now() - known.learnedAt >= every;
      if (!isDue || end === undefined || signal.aborted) continue;
      if (!budget.take("gateway", limits.gatewayHops, now())) return;
      known.learnedAt = now();
      const way = await tracePath(end, limits.gatewayHops, signal);
      if (!signal.aborted && known.works) known.answers = way !== null && isFirstHopSeen(way);
    }
  }

  /** Asks now, or shares what is asked already; false if nothing can be learned of it at this moment. */
  async ask(gateway: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#known.get(gateway);
    if (known === undefined) return false;
    known.asking ??= this.#begin(gateway, known, signal).finally(() => {
      known.asking = null;
    });
    return known.asking;
  }

  /** Asks those that are dead, and those among what hides something now: what no check passes comes back, too. */
  async askAgain(hiding: readonly string[], signal: AbortSignal): Promise<void> {
    for (const gateway of new Set([...this.#deadEnds, ...hiding])) {
      const known = this.#known.get(gateway);
      const isDue =
        known !== undefined && this.#tools.now() - known.askedAt >= limits.gatewayAskAgainEvery;
      if (isDue && !(await this.ask(gateway, signal))) await this.#knock(gateway, known, signal);
    }
  }

  /**
   * The kernel looks for a gateway that it did not find only when a packet is to pass it. Without one, a gateway that is
   * back is never seen to be: the monitors behind it may run elsewhere by now.
   */
  async #knock(gateway: string, known: Gateway, signal: AbortSignal): Promise<void> {
    const { sources, budget, now, tracePath, answered } = this.#tools;
    const [end] = known.ends;
    const at = now();
    if (end === undefined || signal.aborted) return;
    const room = budget.take("gateway", limits.knockPackets, at);
    if (room === null) return;
    known.askedAt = at;
    const way = await tracePath(end, 1, signal);
    if (way !== null) room.packets = way.packets;
    // Node.js sends no packet with a small TTL over TCP: a connection passes the gateway as well.
    else if ((await sources.reaches(end, signal)) && !signal.aborted) answered(gateway, at);
  }

  async #begin(gateway: string, known: Gateway, signal: AbortSignal): Promise<boolean> {
    const { budget, now, tracePath, answered } = this.#tools;
    const ends = known.ends.slice(0, limits.gatewayEnds);
    if (!known.answers || ends.length < limits.gatewayEnds || signal.aborted) return false;
    const at = now();
    if (at - known.askedAt < limits.questionEvery) return false;
    if (!budget.take("gateway", limits.gatewayEnds * limits.gatewayHops, at)) return false;
    known.askedAt = at;
    known.works = false;
    const ways = await Promise.all(ends.map((end) => tracePath(end, limits.gatewayHops, signal)));
    if (signal.aborted || ways.includes(null)) return false;
    const isSilent = ways.every((way) => way === null || way.hops.length === 0);
    // What this machine drops reaches no gateway.
    if (isSilent && (this.#tools.heldBack() ?? 0) > (this.#heldBack ?? Infinity)) return true;
    // What came through meanwhile says more.
    this.#judge(gateway, isSilent && !known.works);
    if (!isSilent) answered(gateway, at);
    return true;
  }
}

interface Gateway {
  /** The newest first, of different addresses. */
  ends: readonly PathEnd[];
  /** Whether something came through since it was asked last. */
  works: boolean;
  /** Whether it answered while it worked. */
  answers: boolean;
  learnedAt: number;
  askedAt: number;
  asking: Promise<boolean> | null;
}

const unknownGateway = (): Gateway => ({
  ends: [],
  works: false,
  answers: false,
  learnedAt: -Infinity,
  askedAt: -Infinity,
  asking: null,
});

/** The gateway itself: where it never answers, the silence of what lies behind it is not its own. */
const isFirstHopSeen = ({ hops }: PathTrace): boolean =>
  hops.some(({ ttl, ended }) => ttl === 1 && ended !== "silence");
