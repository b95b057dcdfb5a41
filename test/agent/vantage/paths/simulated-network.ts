import type { PathHop } from "#check/evidence";
import type { KnownPath, PathChange } from "#check/known-path";
import { learned, unknownPath } from "#agent/vantage/path-learning";
import { nextFailureAsk } from "#agent/vantage/path-failure-plan";
import { nextQuietAsk } from "#agent/vantage/path-plan";
import { changeToSay, type PathFailure } from "#agent/vantage/said-change";
import { after, type EpochMillis, epochMillis, minutes, nanos } from "#base/units";

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Who answers at a hop: one router, several in turns by chance, or nobody. */
export type SimulatedHop = string | readonly string[] | null;

export interface SimulatedNetwork {
  hops: readonly SimulatedHop[];
  /** Whether the end behind them answers. */
  isTargetUp: boolean;
  /** The share of packets, or of their answers, that is lost. */
  loss: number;
  readonly chance: () => number;
}

const flow = { protocol: "tcp", address: "10.2.0.7", port: 443, sourcePort: 61_000 } as const;
const start: EpochMillis = epochMillis(Date.UTC(2026, 0, 1, 12));

/** What the real planning, learning and judging make of a network that is only numbers. */
export class TracedNetwork {
  known: KnownPath = unknownPath("10.2.0.0/24", flow, start);
  now: EpochMillis = start;
  packets = 0;
  readonly network: SimulatedNetwork;

  constructor(network: SimulatedNetwork) {
    this.network = network;
  }

  /** One trace while all is well, and the time until the next. */
  trace(): void {
    const answers: PathHop[] = [];
    for (;;) {
      const ttl = nextQuietAsk(this.known.hops.length === 0 ? null : this.known, answers, this.now);
      if (ttl === null) break;
      answers.push(this.answer(ttl));
    }
    this.known = learned(this.known, answers, this.now);
    this.now = after(this.now, minutes(15));
  }

  /** The kind of change that is said of a failure now, with both routers; null if none may be. */
  said(
    failure: PathFailure = "unanswered",
    passedAt: EpochMillis = after(this.now, minutes(-1)),
  ): string | null {
    const change = this.change(failure, passedAt);
    return change === null ? null : `${change.kind} ${change.ttl} ${change.gone} ${change.came}`;
  }

  change(failure: PathFailure, passedAt: EpochMillis): PathChange | null {
    const answers: PathHop[] = [];
    for (;;) {
      const ttl = nextFailureAsk(this.known, answers, this.now, failure !== "unanswered");
      if (ttl === null) break;
      answers.push(this.answer(ttl));
    }
    return changeToSay({ known: this.known, answers, failure, passedAt, at: this.now });
  }

  answer(ttl: number): PathHop {
    const { hops, chance, isTargetUp, loss } = this.network;
    this.packets += 1;
    const silence = { ttl, address: null, ended: "silence", roundTrip: null, icmp: null } as const;
    if (chance() < loss) return silence;
    if (ttl > hops.length)
      return isTargetUp ? { ...silence, address: flow.address, ended: "target" } : silence;
    const here = hops[ttl - 1] ?? null;
    const address = typeof here === "string" || here === null ? here : oneOf(here, chance);
    if (address === null) return silence;
    return { ttl, address, ended: "hop", roundTrip: nanos(1e6), icmp: "11/0" };
  }
}

const oneOf = (all: readonly string[], chance: () => number): string =>
  all[Math.floor(chance() * all.length)] ?? "";
