import { factsOf, type Fact } from "#check/facts";
import type { ResultPoint } from "#page/sparkline";
import type { Failure } from "#check/failure";
import * as limits from "#limits";
import { noPhases, type Phases } from "#check/outcome";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { stateAfter } from "#check/slowness";
import { cutText } from "#text";
import { type EpochMillis, millis, type Millis, nanos, type Nanos } from "#units";
import { resultStatuses, type ResultStatus } from "#check/verdict";

/** What is kept of a monitor's newest result. */
export interface LastCheck {
  readonly status: ResultStatus;
  readonly failure: Failure | null;
  readonly latency: Millis;
  readonly slot: EpochMillis;
  readonly startedAt: EpochMillis;
  readonly attempts: number;
  readonly phases: Phases;
  readonly total: Nanos;
  readonly errorBar: Nanos;
  /** What a person should know of it beside its failure. */
  readonly remarks: readonly string[];
  readonly facts: readonly Fact[];
}

/** The newest result of a monitor in brief, and the verdicts and latencies before it. */
export interface Trace {
  /** The target that they are of. */
  readonly uri: string;
  /** How the monitor stands, which a check that may have been slow does not change from degraded. */
  readonly standing: ResultStatus;
  readonly last: LastCheck;
  readonly recent: RecentPoints;
}

/**
 * What the page shows of past checks: bounded per monitor, and forgotten with it. Nothing of a result is held on to, as
 * its body would be.
 */
export class History {
  readonly #isAssigned: (monitorId: string) => boolean;
  readonly #traces = new Map<string, Trace>();
  /** How many monitors are known before those that went away are looked for. */
  #tidyAt = 64;

  constructor(isAssigned: (monitorId: string) => boolean) {
    this.#isAssigned = isAssigned;
  }

  note(result: Result): void {
    const known = this.#traces.get(result.monitorId);
    // What was seen of another target says nothing of this one.
    const before = known?.uri === result.uri ? known : null;
    const recent = before?.recent ?? new RecentPoints();
    recent.add(result);
    const { status, uri, monitorId } = result;
    const perhapsSlow = isPerhapsSlow(result);
    const standing = stateAfter(before?.standing ?? null, { status, perhapsSlow });
    this.#traces.set(monitorId, { uri, standing, last: lastCheckOf(result), recent });
    if (this.#traces.size > this.#tidyAt) this.#tidy();
  }

  /** Null before the monitor's first result. */
  of(monitorId: string, uri: string): Trace | null {
    const trace = this.#traces.get(monitorId);
    return trace?.uri === uri ? trace : null;
  }

  get size(): number {
    return this.#traces.size;
  }

  #tidy(): void {
    for (const id of this.#traces.keys()) if (!this.#isAssigned(id)) this.#traces.delete(id);
    this.#tidyAt = Math.max(64, 2 * this.#traces.size);
  }
}

/** The newest verdicts and latencies, each pair in one number, so that thousands of monitors cost little. */
export class RecentPoints {
  /** Small integers in a plain array take less than a typed array does at this length. */
  readonly #packed: number[] = Array.from({ length: limits.monitorHistoryMax }, () => 0);
  #count = 0;

  add({ status, latency }: ResultPoint): void {
    this.#packed[this.#count % this.#packed.length] = latency * 4 + resultStatuses.indexOf(status);
    this.#count += 1;
  }

  /** Oldest first. */
  list(): readonly ResultPoint[] {
    const size = this.#packed.length;
    const first = Math.max(0, this.#count - size);
    return Array.from({ length: this.#count - first }, (_, index) => {
      const packed = this.#packed[(first + index) % size] ?? 0;
      return {
        status: resultStatuses[packed % 4] ?? "error",
        latency: millis(Math.floor(packed / 4)),
      };
    });
  }
}

function lastCheckOf(result: Result): LastCheck {
  const { status, failure, latency, slot, startedAt, attempts, outcome } = result;
  return {
    status,
    failure: failure === null ? null : cutFailure(failure),
    latency,
    slot,
    startedAt,
    attempts: attempts.length,
    phases: outcome?.phases ?? noPhases,
    total: outcome?.total ?? nanos(0),
    errorBar: outcome?.errorBar ?? nanos(0),
    remarks: remarksOf(result),
    facts: outcome === null ? [] : factsOf(outcome, "brief").map(cutFact),
  };
}

/** A slice of a text keeps all of it in memory, and a TXT record may have 64 KiB: this is a text without a past. */
const cutFact = ({ label, value }: Fact): Fact => ({
  label,
  value: Buffer.from(cutText(value, limits.keptFactCharsMax)).toString(),
});

const cutFailure = (failure: Failure): Failure =>
  failure.message.length <= limits.keptMessageCharsMax
    ? failure
    : { ...failure, message: cutText(failure.message, limits.keptMessageCharsMax) };
