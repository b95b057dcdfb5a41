import type { Evaluation } from "#check/assertion";
import type { Cause } from "#check/cause";
import type { Failure } from "#check/failure";
import type { Kind } from "#check/monitor";
import type { Outcome, Phases } from "#check/outcome";
import type { PlaceEvidence } from "#check/place-evidence";
import type { EpochMillis, Millis, Nanos } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/** One decided check: what the service gets, and what metrics and pages are made of. */
export interface Result {
  /** UUIDv7, one per result. */
  readonly id: string;
  readonly monitorId: string;
  readonly kind: Kind;
  readonly uri: string;
  /** The scheduled instant; with location and monitor it names this result forever. */
  readonly slot: EpochMillis;
  /** Start of the attempt that is reported. */
  readonly startedAt: EpochMillis;
  readonly status: ResultStatus;
  readonly failure: Failure | null;
  /** Why it failed, if that is not its target alone; null if nothing speaks for another cause. */
  readonly cause: Cause | null;
  /** What was looked up when it failed; null if nothing was. */
  readonly place: PlaceEvidence | null;
  /** Whole milliseconds, as the wire carries it. */
  readonly latency: Millis;
  /** The threshold that the latency was judged by; null is none. */
  readonly degradedAt: Millis | null;
  /** The attempt that is reported, which is the last; null when the monitor could not be run at all. */
  readonly outcome: Outcome | null;
  readonly evaluations: readonly Evaluation[];
  /** Every attempt in order, the reported one included. */
  readonly attempts: readonly Attempt[];
}

/** One attempt in brief. */
export interface Attempt {
  readonly startedAt: EpochMillis;
  readonly phases: Phases;
  readonly total: Nanos;
  /** How much of the total was our own work, in no phase; null if that is not known. */
  readonly own: Nanos | null;
  readonly failure: Failure | null;
}
