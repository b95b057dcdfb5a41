import type { Certainty } from "#agent/checks/uncertainty";
import type { ReportCounts } from "#agent/link/reporter";
import type { Checker } from "#agent/prober/checker";
import type { Clock } from "#base/clock";
import type { Spool } from "#agent/spool/spool";
import type { Beat } from "#transport/control-plane";
import { between, type EpochMillis, millis } from "#base/units";

interface BeatParts {
  readonly startedAt: EpochMillis;
  readonly clock: Clock;
  readonly spool: Spool;
  readonly checker: Pick<Checker, "monitors" | "status">;
  readonly reports: ReportCounts;
  readonly certainty: Certainty;
  readonly revision: string | null;
  readonly leaving: boolean;
  readonly vantage: Pick<Beat, "conditions" | "warnings"> | null;
  readonly remarks: Beat["remarks"];
  readonly auditKnown: number;
  readonly targetRules: Beat["targetRules"];
  readonly paths: Beat["paths"];
}

/** What a heartbeat says of the agent now. The largest error bar starts again with each. */
export function beatOf(parts: BeatParts): Beat {
  const { startedAt, clock, spool, checker, reports, certainty, revision } = parts;
  const { leaving, vantage, remarks, auditKnown, targetRules, paths } = parts;
  const { started, missed } = checker.status.schedule;
  const oldest = spool.oldestSlot;
  const { age, room, unreadable } = spool.givenUp;
  return {
    startedAt,
    monitorCount: checker.monitors.size,
    checksRun: started,
    resultsWaiting: spool.size,
    oldestWaitingAge:
      oldest === null ? millis(0) : millis(Math.max(0, between(oldest, clock.wall()))),
    sentAt: clock.wall(),
    missedSlots: Object.values(missed).reduce((sum, count) => sum + count, 0),
    missedSlotsOwn: missed.late + missed.busy + missed.clock,
    resultsGivenUp: age + room + unreadable + reports.givenUp,
    resultsGivenUpAge: age,
    resultsGivenUpRoom: room,
    resultsRejected: reports.rejected,
    resultsUnassigned: reports.unassigned,
    uncertainResults: certainty.uncertain,
    errorBarMax: certainty.takeErrorBarMax(),
    revision,
    leaving,
    conditions: vantage?.conditions ?? [],
    warnings: vantage?.warnings ?? [],
    remarks,
    auditKnown,
    targetRules,
    paths,
  };
}
