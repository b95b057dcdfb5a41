import { expect } from "vitest";
import * as limits from "#limits/prober-limits";
import { nextSlot } from "#agent/prober/schedule/slots";
import { epochMillis, millis } from "#base/units";
import type { AgentRun } from "./agent-run.ts";

/** A monitor that runs at the slots of its period. */
export interface Due {
  readonly id: string;
  readonly period: number;
}

/** A result that the service has stored. */
export interface Accepted {
  readonly monitorId: string;
  readonly slot: number;
  readonly status: string;
  readonly storedAt: number;
}

/** Every slot that was due in a window of time, and what became of it. */
export interface Ledger {
  readonly due: number;
  readonly accepted: number;
  /** Missed by an agent that ran, by the reason that it gave. */
  readonly missed: Readonly<Record<string, number>>;
  /** No agent ran at that instant, or its threads did not have the monitors yet: a first check follows within 5 s. */
  readonly nobodyRan: number;
  /** An agent was killed before it could have kept the result. */
  readonly cutOff: number;
  /** First checks after a start, which have their own instants. */
  readonly firstChecks: number;
  /** Slots that are not accounted for, and results that no one asked for: both have to be empty. */
  readonly unexplained: readonly string[];
  readonly odd: readonly string[];
  /** Slots that the service has more than one result of. */
  readonly twice: readonly string[];
}

/**
 * A check may begin so late; later it is missed, and said to be. On a busy machine, threads have the monitors so long
 * after their agent says so, too.
 */
export const startsWithin: number = limits.slotLatenessMax;
/** A late check of a target that answers at once, the second until the next save, and what a busy machine adds. */
const keptWithin = startsWithin + 5_000;
/** How much later than an agent did what it says we may hear of it, on a busy machine. */
const saidWithin = 10_000;
/** The agent's own promise. */
const firstCheckWithin = 5_000;

/** Holds what the service has against what was due in [from, to), slot by slot. */
export function ledgerOf(
  monitors: readonly Due[],
  runs: readonly AgentRun[],
  accepted: readonly Accepted[],
  { from, to }: { readonly from: number; readonly to: number },
): Ledger {
  const stored = Map.groupBy(accepted, ({ monitorId }) => monitorId);
  const spans = runs.flatMap(({ span }) => (span === null ? [] : [span]));
  const missedBy = missedSlots(monitors, runs);
  const missed: Record<string, number> = {};
  const unexplained: string[] = [];
  const odd: string[] = [];
  const twice: string[] = [];
  let [due, met, nobodyRan, cutOff, firstChecks] = [0, 0, 0, 0, 0];
  for (const { id, period } of monitors) {
    const own = new Map<number, number>();
    for (const { slot } of stored.get(id) ?? []) own.set(slot, (own.get(slot) ?? 0) + 1);
    for (const slot of slotsIn(id, period, from, to)) {
      due += 1;
      const reason = missedBy.get(`${id} ${slot}`);
      if (own.has(slot)) met += 1;
      else if (reason !== undefined) missed[reason] = (missed[reason] ?? 0) + 1;
      else if (!spans.some((span) => span.from + startsWithin <= slot && slot < span.to))
        nobodyRan += 1;
      else if (
        spans.some(({ to: end, killed }) => killed && slot <= end && end <= slot + keptWithin)
      )
        cutOff += 1;
      else unexplained.push(`${id} at ${new Date(slot).toISOString()}`);
    }
    for (const [slot, count] of own) {
      if (count > 1) twice.push(`${id} at ${slot}`);
      if (nextSlot(id, millis(period), epochMillis(slot - 1)) === slot) continue;
      const isFirst = spans.some(
        (span) =>
          span.from - saidWithin <= slot && slot <= span.from + firstCheckWithin + saidWithin,
      );
      if (isFirst) firstChecks += 1;
      else odd.push(`${id} at ${new Date(slot).toISOString()}`);
    }
  }
  return { due, accepted: met, missed, nobodyRan, cutOff, firstChecks, unexplained, odd, twice };
}

function* slotsIn(id: string, period: number, from: number, to: number): Iterable<number> {
  for (
    let slot = nextSlot(id, millis(period), epochMillis(from - 1));
    slot < to;
    slot = nextSlot(id, millis(period), slot)
  )
    yield slot;
}

/** What the agents said that they missed, by monitor and slot. */
function missedSlots(
  monitors: readonly Due[],
  runs: readonly AgentRun[],
): ReadonlyMap<string, string> {
  const periods = new Map(monitors.map(({ id, period }) => [id, period]));
  const missed = new Map<string, string>();
  for (const { fields } of runs.flatMap((one) => one.all("missed"))) {
    const id = String(fields["monitor"]);
    for (let index = 0; index < Number(fields["count"]); index += 1)
      missed.set(
        `${id} ${Number(fields["slot"]) + index * (periods.get(id) ?? 0)}`,
        String(fields["reason"]),
      );
  }
  return missed;
}

/** What a ledger must hold whatever was broken: nothing unaccounted for, nothing twice, nothing that no one asked for. */
export function expectWhole({ unexplained, odd, twice }: Ledger): void {
  const faults = [
    ...unexplained.map((slot) => `unexplained: ${slot}`),
    ...odd.map((slot) => `odd: ${slot}`),
    ...twice.map((slot) => `twice: ${slot}`),
  ];
  expect(faults.join("; ")).toBe("");
}

/** What a ledger holds besides where an agent ran all the time. On a busy machine it may miss slots, and says so. */
export function expectRan({ nobodyRan, cutOff }: Ledger): void {
  expect({ nobodyRan, cutOff }).toEqual({ nobodyRan: 0, cutOff: 0 });
}
