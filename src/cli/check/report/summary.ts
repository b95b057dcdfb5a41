import type { DecidedCheck } from "#cli/check/report/check-report";
import * as limits from "#limits/cli-limits";
import { type PhaseName, phaseNames } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import { nanos, type Nanos } from "#base/units";

/** What the checks of one target come to. */
export interface Summary {
  readonly called: string;
  readonly target: string;
  readonly count: number;
  readonly statuses: Readonly<Record<ResultStatus, number>>;
  /** Of the checks that did not fail: the total first, then each phase that happened. */
  readonly rows: readonly SummaryRow[];
  /** The most frequent first. */
  readonly failures: readonly { readonly times: number; readonly why: string }[];
}

interface SummaryRow {
  readonly name: "total" | PhaseName;
  readonly min: Nanos;
  readonly median: Nanos;
  readonly p95: Nanos;
  readonly max: Nanos;
}

/** Counts checks by their target, in the order in which the targets came. */
export class Summaries {
  readonly #tallies = new Map<string, Tally>();

  /** Gives the number that the check has among those of its target, from 1. */
  add({ monitor, called, target, result }: DecidedCheck): number {
    const tally = this.#tallies.getOrInsertComputed(monitor.id, () => ({
      called,
      target,
      statuses: { success: 0, degraded: 0, error: 0 },
      times: new Map(),
      failures: new Map(),
    }));
    tally.statuses[result.status] += 1;
    const { failure, outcome } = result;
    if (failure !== null)
      countFailure(`${failure.code} in ${failure.phase}: ${failure.message}`, tally);
    else if (outcome !== null) {
      tally.times.getOrInsert("total", []).push(outcome.total);
      for (const phase of phaseNames) {
        const took = outcome.phases[phase];
        if (took !== null) tally.times.getOrInsert(phase, []).push(took);
      }
    }
    return countOf(tally);
  }

  get all(): readonly Summary[] {
    return [...this.#tallies.values()].map((tally) => ({
      called: tally.called,
      target: tally.target,
      count: countOf(tally),
      statuses: tally.statuses,
      rows: (["total", ...phaseNames] as const).flatMap((name) => rowOf(name, tally)),
      failures: [...tally.failures]
        .map(([why, times]) => ({ times, why }))
        .toSorted((a, b) => b.times - a.times),
    }));
  }
}

interface Tally {
  readonly called: string;
  readonly target: string;
  readonly statuses: Record<ResultStatus, number>;
  readonly times: Map<SummaryRow["name"], Nanos[]>;
  readonly failures: Map<string, number>;
}

const countOf = ({ statuses }: Tally): number =>
  statuses.success + statuses.degraded + statuses.error;

/** A sentence may hold an instant or a port, so that none is like another: the rest counts as one. */
function countFailure(why: string, { failures }: Tally): void {
  const known = failures.has(why) || failures.size < limits.repeatFailuresMax;
  const key = known ? why : "other failures";
  failures.set(key, (failures.get(key) ?? 0) + 1);
}

function rowOf(name: SummaryRow["name"], { times }: Tally): readonly SummaryRow[] {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
  if (sorted.length === 0) return [];
  const at = (share: number): Nanos => nearestRank(sorted, share);
  return [{ name, min: at(0), median: at(0.5), p95: at(0.95), max: at(1) }];
}

/** The smallest value that so many of all do not exceed. */
const nearestRank = (sorted: readonly Nanos[], share: number): Nanos =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? nanos(0);
