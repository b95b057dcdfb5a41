import type { Outcome } from "#check/outcome";
import type { WireExchange } from "./exchange-on-wire.ts";

/** The parts of a check that are compared. `firstByte` is write and wait together: other tools know no write. */
export const parts = ["connect", "tls", "write", "wait", "firstByte", "receive", "total"] as const;
export type Part = (typeof parts)[number];

/** What a tool says of one check: nanoseconds; null if it says nothing. */
export type Figures = { readonly [P in Part]: number | null };

export interface Reported {
  readonly server: string;
  readonly figures: Figures;
  /** Null of a tool that claims no error bar. */
  readonly errorBar: number | null;
  /** How much further its total may be off. */
  readonly ownErrorBar: number;
  readonly failed: boolean;
  /** Whether our own work is left out of its phases. */
  readonly leavesOursOut: boolean;
}

export function reportedBy(outcome: Outcome, server: string): Reported {
  const { connect, tls, write, wait, receive } = outcome.phases;
  return {
    server,
    figures: {
      connect,
      tls,
      write,
      wait,
      firstByte: write === null || wait === null ? null : write + wait,
      receive,
      total: outcome.total,
    },
    errorBar: outcome.errorBar,
    ownErrorBar: outcome.ownErrorBar,
    failed: outcome.failure !== null,
    leavesOursOut: outcome.own !== null,
  };
}

/** The same parts as the wire had them, for a tool that leaves its own work out of its phases or in them. */
export function figuresOf(wire: WireExchange, leavesOursOut: boolean): Figures {
  const { started, connected, secured, sent, firstByte, lastByte } = wire;
  const ready = secured ?? connected ?? started;
  const part = (from: number | null, to: number | null): number | null =>
    from === null || to === null ? null : to - from;
  const theirs = (from: number | null, to: number | null): number | null => {
    const whole = part(from, to);
    if (whole === null || from === null || to === null || !leavesOursOut) return whole;
    const common = wire.ours.map((one) => Math.min(one.to, to) - Math.max(one.from, from));
    return whole - common.reduce((sum, time) => sum + Math.max(0, time), 0);
  };
  const write = theirs(ready, sent);
  const wait = part(sent, firstByte);
  return {
    connect: part(started, connected),
    tls: theirs(connected, secured),
    write,
    wait,
    firstByte: write === null || wait === null ? null : write + wait,
    receive: part(firstByte, lastByte),
    total: part(started, lastByte ?? secured ?? connected),
  };
}

/** One check as it was told and as it was. */
export interface Pair {
  readonly reported: Reported;
  readonly wire: WireExchange;
}

/** The nth check of an address belongs to the nth exchange with it. Throws when there are more or fewer on the wire. */
export function paired(
  reported: readonly Reported[],
  exchanges: readonly WireExchange[],
): readonly Pair[] {
  const byServer = Map.groupBy(exchanges, ({ server }) => server);
  const taken = new Map<string, number>();
  const pairs = reported.map((one) => {
    const nth = taken.get(one.server) ?? 0;
    taken.set(one.server, nth + 1);
    const wire = byServer.get(one.server)?.[nth];
    if (wire === undefined)
      throw new Error(`check ${nth + 1} of ${one.server} is not in the capture`);
    return { reported: one, wire };
  });
  if (exchanges.length !== reported.length)
    throw new Error(`${reported.length} checks were told, ${exchanges.length} were captured`);
  return pairs;
}
