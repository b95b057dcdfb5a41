import { fineLatency } from "#check/echo-spread";
import { blamesTarget, type FailurePhase } from "#check/failure";
import { addLatencies, mergeHistograms, noLatencies, quantile } from "#service/store/histogram";
import type { Grain, NewResult, Rollup } from "#service/store/result-store";
import { timeoutMax } from "#limits/check-limits";
import * as storeLimits from "#limits/store-limits";
import { between, epochMillis, type EpochMillis, hours, type Millis, millis } from "#base/units";

/** Rollups: what many results add up to, and what many rollups do. */
export const emptyRollup: Rollup = {
  success: 0,
  degraded: 0,
  error: 0,
  unknown: 0,
  known: millis(0),
  down: millis(0),
  latencySum: millis(0),
  latencyMax: millis(0),
  latencies: noLatencies,
};

export const grainLength: Readonly<Record<Grain, Millis>> = { hour: hours(1), day: hours(24) };

/** The beginning of the hour or the day (UTC) in which an instant lies. */
export const beginOf = (grain: Grain, instant: EpochMillis): EpochMillis =>
  epochMillis(Math.floor(instant / grainLength[grain]) * grainLength[grain]);

/**
 * Faults of configuration, policy and agent say nothing of the target, and none does while the location itself is broken.
 * The plain calls do not say the phase.
 */
export function saysSomethingOfTarget({
  failure,
  excuse,
}: Pick<NewResult, "failure" | "excuse">): boolean {
  if (excuse !== null) return false;
  const blameless: readonly FailurePhase[] = ["config", "policy", "agent"];
  const known = blameless.find((phase) => phase === failure?.phase);
  return known === undefined || blamesTarget(known);
}

/** The time of which a check of the schedule says something, unless another one says it sooner. */
interface Standing {
  readonly from: EpochMillis;
  readonly until: EpochMillis;
}

export type CheckTimes = Pick<NewResult, "slot" | "startedAt" | "latency" | "attempts" | "period">;

/**
 * From its slot to the next one. A check that is made up for begins long after its slot, and says nothing of the time before.
 * Slots that come while it runs are skipped, so it stands until the one after its end: attempts are taken to be as long as
 * the last one, which begins within the period. An agent that does not say its attempts does not say when the first began.
 */
export function standingOfCheck(check: CheckTimes): Standing {
  const { slot, startedAt, attempts, period } = check;
  const isLate = attempts > 0 && startedAt - slot > storeLimits.startsWithSlotWithin;
  const from = isLate ? startedAt : slot;
  const latency = Math.min(check.latency, timeoutMax);
  const end = Math.min(startedAt + Math.max(1, attempts) * latency, slot + period + latency);
  const slots = period > 0 ? Math.max(1, Math.ceil((end - slot) / period)) : 1;
  return { from, until: epochMillis(Math.max(from, slot + slots * period)) };
}

/**
 * A check that a person asked for lies between two of the schedule, whose periods have all the time already. Whether it is
 * down for the rest of such a period says `standing-result.ts`.
 */
function standsFor(result: NewResult): Millis {
  if (result.trigger !== "cron") return millis(0);
  const { from, until } = standingOfCheck(result);
  return between(from, until);
}

/** A rollup with further results in it, in whatever order they come. */
export function addResults(rollup: Rollup, results: readonly NewResult[]): Rollup {
  const telling = results.filter(saysSomethingOfTarget);
  const answered = telling.filter(({ status }) => status !== "error");
  const latencies = answered.map(({ latency }) => latency);
  const count = (status: NewResult["status"]): number =>
    telling.filter((one) => one.status === status).length;
  const errors = telling.filter(({ status }) => status === "error");
  return {
    success: rollup.success + count("success"),
    degraded: rollup.degraded + count("degraded"),
    error: rollup.error + count("error"),
    unknown: rollup.unknown + results.length - telling.length,
    known: sum([rollup.known, ...telling.map(standsFor)]),
    down: sum([rollup.down, ...errors.map(standsFor)]),
    latencySum: sum([rollup.latencySum, ...latencies]),
    latencyMax: millis(Math.max(rollup.latencyMax, ...latencies)),
    latencies: addLatencies(rollup.latencies, answered.map(fineLatency)),
  };
}

/** What was counted of a result for a time in which another one stands. */
export interface Overlap {
  readonly slot: EpochMillis;
  readonly known: Millis;
  /** Below 0 if the other one makes it down, as both are if it stood for longer than was counted. */
  readonly down: Millis;
}

/** A rollup of which what another result stands for is taken out again; never more than there is. */
export const withoutOverlaps = (rollup: Rollup, overlaps: readonly Overlap[] = []): Rollup =>
  overlaps.reduce(
    ({ known, down }, overlap) => ({
      ...rollup,
      known: millis(Math.max(0, known - overlap.known)),
      down: millis(Math.max(0, down - overlap.down)),
    }),
    rollup,
  );

export const mergeRollups = (rollups: readonly Rollup[]): Rollup => {
  const count = (of: (rollup: Rollup) => number): number =>
    rollups.reduce((total, rollup) => total + of(rollup), 0);
  return {
    success: count((one) => one.success),
    degraded: count((one) => one.degraded),
    error: count((one) => one.error),
    unknown: count((one) => one.unknown),
    known: sum(rollups.map((one) => one.known)),
    down: sum(rollups.map((one) => one.down)),
    latencySum: sum(rollups.map((one) => one.latencySum)),
    latencyMax: millis(rollups.reduce((most, one) => Math.max(most, one.latencyMax), 0)),
    latencies: mergeHistograms(rollups.map((one) => one.latencies)),
  };
};

/**
 * The latency that a share of all (0.95: p95) does not exceed; null of none. It is of a histogram, so it may be above the
 * longest one, or below what their sum allows: of checks that all took 1 001 to 1 003 ms, no p95 is 993. Both are kept in
 * whole milliseconds, as exact as what is shown from 10 ms on.
 */
export function latencyAt(rollup: Latencies, share: number): Millis | null {
  const found = quantile(rollup.latencies, share);
  if (found === null) return null;
  const least = leastAt(rollup, share);
  const known = least < wholeFrom ? found : Math.max(found, least);
  return millis(Math.min(known, Math.max(rollup.latencyMax, wholeFrom)));
}

type Latencies = Pick<Rollup, "latencies" | "latencyMax" | "latencySum" | "success" | "degraded">;

/** If all that are longer took as long as the longest, the rest of the sum is of this one and those that are shorter. */
function leastAt({ success, degraded, latencySum, latencyMax }: Latencies, share: number): number {
  const count = success + degraded;
  const rank = Math.max(1, Math.ceil(count * share));
  return (latencySum - (count - rank) * latencyMax) / rank;
}

const wholeFrom = 10;

const sum = (durations: readonly Millis[]): Millis =>
  millis(durations.reduce((total, duration) => total + duration, 0));
