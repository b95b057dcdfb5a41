import { factsOf, type Fact } from "#check/facts";
import type { ResultPoint } from "#page/sparkline";
import type { Failure } from "#check/failure";
import * as limits from "#limits/pages-limits";
import { isUncertain, noPhases, type Phases } from "#check/outcome";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { stateAfter } from "#check/slowness";
import { cutText } from "#text";
import { epochMillis, type EpochMillis, millis, type Millis, nanos, type Nanos } from "#units";
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
  /** Null where it is not known. */
  readonly own: Nanos | null;
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
  /** Null until the first check since the start: what was before it says nothing of now. */
  readonly last: LastCheck | null;
  readonly recent: RecentPoints;
}

/** What a restart leaves of a trace. */
export interface KeptTrace {
  readonly monitorId: string;
  readonly uri: string;
  readonly standing: ResultStatus;
  /** Oldest first. */
  readonly points: readonly ResultPoint[];
}

/**
 * What the page shows of past checks: bounded per monitor, and forgotten with it. Nothing of a result is held on to, as
 * its body would be.
 */
export class History {
  readonly #isAssigned: (monitorId: string) => boolean;
  readonly #traces = new Map<string, Trace>();
  #notes = 0;
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
    const last = lastCheckOf(result);
    recent.add({ ...last, uncertain: isUncertain(last) });
    const { status, uri, monitorId } = result;
    const perhapsSlow = isPerhapsSlow(result);
    const standing = stateAfter(before?.standing ?? null, { status, perhapsSlow });
    this.#traces.set(monitorId, { uri, standing, last, recent });
    this.#notes += 1;
    if (this.#traces.size > this.#tidyAt) this.#tidy();
  }

  /** Takes what an earlier process of this agent saw of a monitor, unless something newer is known. */
  restore({ monitorId, uri, standing, points }: KeptTrace): void {
    if (this.#traces.has(monitorId)) return;
    const recent = new RecentPoints();
    for (const point of points) recent.add(point);
    this.#traces.set(monitorId, { uri, standing, last: null, recent });
  }

  /** What is to outlive this process. */
  *kept(): Generator<KeptTrace> {
    for (const [monitorId, { uri, standing, recent }] of this.#traces)
      if (this.#isAssigned(monitorId)) yield { monitorId, uri, standing, points: recent.list() };
  }

  /** How many results were noted. */
  get notes(): number {
    return this.#notes;
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

/** The newest verdicts and latencies in two numbers each, so that thousands of monitors cost little. */
export class RecentPoints {
  /** Small integers in a plain array take less than a typed array does at this length. */
  readonly #packed: number[] = Array.from({ length: limits.monitorHistoryMax }, () => 0);
  readonly #slots: EpochMillis[] = Array.from({ length: limits.monitorHistoryMax }, () =>
    epochMillis(0),
  );
  #count = 0;

  add({ slot, status, latency, uncertain }: ResultPoint): void {
    const index = this.#count % limits.monitorHistoryMax;
    this.#packed[index] = latency * 8 + (uncertain ? 4 : 0) + resultStatuses.indexOf(status);
    this.#slots[index] = slot;
    this.#count += 1;
  }

  /** Oldest first. */
  list(): readonly ResultPoint[] {
    const size = limits.monitorHistoryMax;
    const first = Math.max(0, this.#count - size);
    return Array.from({ length: this.#count - first }, (_, offset) => {
      const index = (first + offset) % size;
      const packed = this.#packed[index] ?? 0;
      return {
        slot: this.#slots[index] ?? epochMillis(0),
        status: resultStatuses[packed % 4] ?? "error",
        latency: millis(Math.floor(packed / 8)),
        uncertain: packed % 8 >= 4,
      };
    });
  }
}

function lastCheckOf(result: Result): LastCheck {
  const { status, failure, latency, slot, startedAt, attempts, outcome, place } = result;
  return {
    status,
    failure: failure === null ? null : cutFailure(failure),
    latency,
    slot,
    startedAt,
    attempts: attempts.length,
    phases: outcome?.phases ?? noPhases,
    total: outcome?.total ?? nanos(0),
    own: outcome?.own ?? null,
    errorBar: outcome?.errorBar ?? nanos(0),
    remarks: remarksOf(result),
    facts: outcome === null ? [] : factsOf(outcome, "brief", place).map(cutFact),
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
