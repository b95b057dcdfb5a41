import type { Failure } from "#check/failure";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import { noPhases, type Outcome } from "#check/outcome";
import { type EpochMillis, nanos } from "#base/units";

/** The outcome of an attempt that never reached the wire. */
export const unseen = (kind: Kind, startedAt: EpochMillis, failure: Failure): Outcome => ({
  startedAt,
  phases: noPhases,
  total: nanos(0),
  own: null,
  addresses: [],
  tls: null,
  errorBar: nanos(0),
  ownErrorBar: nanos(0),
  evidence: null,
  failure,
  ...kindTable[kind].unseen,
});
