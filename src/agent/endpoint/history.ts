import type { Fact } from "#check/fact";
import { factsOf } from "#check/facts";
import type { ResultPoint } from "#web/page/sparkline";
import type { Failure } from "#check/failure";
import * as limits from "#limits/pages-limits";
import { isUncertain, noPhases, type Phases } from "#check/outcome";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { latencyToMicros } from "#check/shown-latency";
import { stateAfter } from "#check/slowness";
import { cutText } from "#base/text";
import { epochMillis, type EpochMillis, millis, type Millis, nanos, type Nanos } from "#base/units";
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
  /** Null if it is not known. */
  readonly own: Nanos | null;
  readonly ownErrorBar: Nanos;
  readonly errorBar: Nanos;
  /** What a person should know of it in addition to its failure. */
  readonly remarks: readonly string[];
  readonly facts: readonly Fact[];
}

/** The newest result of a monitor in brief, and the verdicts and latencies before it. */
export type Trace = Readonly<KnownTrace>;

interface KnownTrace {
  /** The target that they are of. */
  readonly uri: string;
  /** How the monitor stands, which a check that may have been slow does not change from degraded. */
  standing: ResultStatus;
  /** Null until the first check since the start: what was before it says nothing of now. */
  last: LastCheck | null;
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
  readonly #traces = new Map<string, KnownTrace>();
  #notes = 0;
  /** How many monitors are known before those that went away are looked for. */
  #tidyAt = 64;

  constructor(isAssigned: (monitorId: string) => boolean) {
    this.#isAssigned = isAssigned;
  }

  note(result: Result): void {
    const { status, uri, monitorId } = result;
    const known = this.#traces.get(monitorId);
    // What was seen of another target says nothing of this one.
    const before = known?.uri === uri ? known : null;
    const perhapsSlow = isPerhapsSlow(result);
    const standing = stateAfter(before?.standing ?? null, { status, perhapsSlow });
    const trace = before ?? { uri, standing, last: null, recent: new RecentPoints() };
    if (before === null) this.#traces.set(monitorId, trace);
    const last = new KeptCheck(result);
    const { slot } = result;
    const { latency } = last;
    trace.recent.add({ slot, status, latency, uncertain: isUncertain(last) });
    trace.standing = standing;
    trace.last = last;
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
  /** Of each result in turn its slot, and the rest packed. A plain array takes less than a typed one at this length. */
  readonly #cells = Array<number>(cellsOfPoint * limits.monitorHistoryMax).fill(0);
  #count = 0;

  add({ slot, status, latency, uncertain }: ResultPoint): void {
    const at = (this.#count % limits.monitorHistoryMax) * cellsOfPoint;
    this.#cells[at] = slot;
    // That of a ping has its microseconds.
    this.#cells[at + 1] =
      Math.round(latency * 1e3) * 8 + (uncertain ? 4 : 0) + resultStatuses.indexOf(status);
    this.#count += 1;
  }

  /** Oldest first. */
  list(): readonly ResultPoint[] {
    const size = limits.monitorHistoryMax;
    const first = Math.max(0, this.#count - size);
    return Array.from({ length: this.#count - first }, (_, offset) => {
      const at = ((first + offset) % size) * cellsOfPoint;
      const packed = this.#cells[at + 1] ?? 0;
      return {
        slot: epochMillis(this.#cells[at] ?? 0),
        status: resultStatuses[packed % 4] ?? "error",
        latency: millis(Math.floor(packed / 8) / 1e3),
        uncertain: packed % 8 >= 4,
      };
    });
  }
}

const cellsOfPoint = 2;

/**
 * A result in brief. Its facts are one text until someone looks: thousands of monitors have some each, and each check
 * makes new ones. The text has no past either: a slice of a body would keep all of it in memory.
 */
class KeptCheck implements LastCheck {
  readonly status: ResultStatus;
  readonly failure: Failure | null;
  readonly latency: Millis;
  readonly slot: EpochMillis;
  readonly startedAt: EpochMillis;
  readonly attempts: number;
  readonly phases: Phases;
  readonly total: Nanos;
  readonly own: Nanos | null;
  readonly ownErrorBar: Nanos;
  readonly errorBar: Nanos;
  readonly remarks: readonly string[];
  readonly #facts: string;

  constructor(result: Result) {
    const { failure, attempts, outcome, place } = result;
    this.status = result.status;
    this.failure = failure === null ? null : cutFailure(failure);
    this.latency = latencyToMicros(result);
    this.slot = result.slot;
    this.startedAt = result.startedAt;
    this.attempts = attempts.length;
    this.phases = outcome?.phases ?? noPhases;
    this.total = outcome?.total ?? nanos(0);
    this.own = outcome?.own ?? null;
    this.ownErrorBar = outcome?.ownErrorBar ?? nanos(0);
    this.errorBar = outcome?.errorBar ?? nanos(0);
    const remarks = remarksOf(result);
    this.remarks = remarks.length === 0 ? noRemarks : remarks;
    const facts = outcome === null ? [] : factsOf(outcome, "brief", place);
    this.#facts = facts.length === 0 ? noFacts : JSON.stringify(facts.map(factCells));
  }

  get facts(): readonly Fact[] {
    const cells: readonly [string, string][] = JSON.parse(this.#facts);
    return cells.map(([label, value]) => ({ label, value }));
  }
}

const noRemarks: readonly string[] = [];
const noFacts = "[]";

/** A TXT record may have 64 KiB. */
const factCells = ({ label, value }: Fact): readonly [string, string] => [
  label,
  cutText(value, limits.keptFactCharsMax),
];

const cutFailure = (failure: Failure): Failure =>
  failure.message.length <= limits.keptMessageCharsMax
    ? failure
    : { ...failure, message: cutText(failure.message, limits.keptMessageCharsMax) };
