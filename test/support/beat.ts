import { epochMillis, millis, nanos } from "#base/units";
import type { Beat } from "#transport/control-plane";

/** An agent that is well. */
export const beat: Beat = {
  startedAt: epochMillis(1),
  monitorCount: 1,
  checksRun: 2,
  resultsWaiting: 3,
  oldestWaitingAge: millis(4),
  sentAt: epochMillis(9),
  missedSlots: 5,
  missedSlotsOwn: 4,
  resultsGivenUp: 6,
  resultsGivenUpAge: 1,
  resultsGivenUpRoom: 2,
  resultsRejected: 3,
  resultsUnassigned: 1,
  uncertainResults: 7,
  errorBarMax: nanos(8_400),
  revision: null,
  leaving: false,
  conditions: [],
  warnings: [],
  remarks: [],
  auditKnown: 0,
  targetRules: { allow: [], deny: [] },
  paths: [],
};
