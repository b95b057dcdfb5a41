import type { MonitorStatus } from "#check/monitor-status";
import type { ResultStatus } from "#check/verdict";
import type { CertificateStanding } from "#service/monitors/certificate-standing";
import type { HeardView, Judgement } from "#service/monitors/judge";
import type { LocationId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import type { EpochMillis, Millis } from "#base/units";

/** A monitor, what its locations see, and what is said of it. */
export interface JudgedMonitor {
  readonly row: MonitorRow;
  readonly judgement: Judgement;
  readonly views: readonly LocatedView[];
  readonly certificate: CertificateStanding;
  /** The newest slot that any location has a result of; null if there is none. */
  readonly lastCheckedAt: EpochMillis | null;
  /** Of the state that it was judged from. */
  readonly generation: number;
}

/** What a location last saw. */
export interface LocatedView extends HeardView {
  readonly location: LocationId;
  readonly latency: Millis;
  /** The newest statuses, newest first. */
  readonly recent: readonly ResultStatus[];
  /** The newest slot of which nothing was learned, because the location itself was broken; null if there is none. */
  readonly blindSlot: EpochMillis | null;
}

/** What a result says of the monitor. */
export const seenAs: { readonly [S in ResultStatus]: MonitorStatus } = {
  success: "active",
  degraded: "degraded",
  error: "error",
};
