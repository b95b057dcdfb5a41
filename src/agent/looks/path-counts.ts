import type { PathHop } from "#check/evidence";
import type { KnownPath, PathChangeKind } from "#check/known-path";
import { isAsKnown } from "#agent/vantage/path-plan";
import type { EpochMillis } from "#base/units";

/**
 * whole: the target answered, or all hops in front of it did as they are known. partial: it ended before. unsent: its
 * packets could not leave.
 */
type TraceOutcome = "whole" | "partial" | "unsent";

/** What an agent has done for the paths to its targets since it started. */
export interface PathCounts {
  /** Networks whose path is known now. */
  readonly known: number;
  /** Packets of traces and of looks at failures. */
  readonly packets: number;
  readonly traces: Readonly<Record<TraceOutcome, number>>;
  /** Changes that traces saw, by what changed. */
  readonly changes: Readonly<Record<PathChangeKind, number>>;
  /** Failures whose message names a change. */
  readonly named: number;
}

const noTraces = { whole: 0, partial: 0, unsent: 0 };
const noChanges = { replaced: 0, lost: 0, gained: 0, returned: 0, ended: 0, circle: 0 };

/** Of an agent that traces nothing. */
export const noPathCounts: PathCounts = {
  known: 0,
  packets: 0,
  traces: noTraces,
  changes: noChanges,
  named: 0,
};

/** Counts what a watch of paths does. */
export class PathCounter {
  packets = 0;
  named = 0;
  readonly traces: Record<TraceOutcome, number> = { ...noTraces };
  readonly changes: Record<PathChangeKind, number> = { ...noChanges };

  /** A trace of `before` came to its end; `path` is what is known with it. */
  traced(before: KnownPath, path: KnownPath, answers: readonly PathHop[], wall: EpochMillis): void {
    const isReached = answers.some(({ ended }) => ended === "target");
    const isWhole = isReached || (before.length !== null && isAsKnown(before, answers, wall));
    this.traces[isWhole ? "whole" : "partial"] += 1;
    const [newest] = path.changes;
    if (newest !== undefined && newest !== before.changes[0]) this.changes[newest.kind] += 1;
  }
}
