import type { MonitorStatus } from "#check/monitor-status";
import type { ResultStatus } from "#check/verdict";
import type { CertificateStanding } from "#service/monitors/certificate-standing";
import type { HeardView, JudgedState, Judgement } from "#service/monitors/judge";
import type { LocationId } from "#service/store/ids";
import type { Gap } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import { unreadJudgedAfter } from "#limits/store-limits";
import { after, epochMillis, type EpochMillis, type Millis } from "#base/units";

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
  /** Its results cannot be read, because their database server is away: its state is the last that was judged. */
  readonly isUnread: boolean;
}

/** A monitor whose results cannot be read keeps its state, and is judged again soon. */
export const unreadMonitor = (
  row: MonitorRow,
  state: (JudgedState & { readonly generation: number }) | undefined,
  now: EpochMillis,
): JudgedMonitor => ({
  row,
  judgement: {
    state: state ?? { status: "unknown", since: epochMillis(0) },
    events: [],
    againAt: after(now, unreadJudgedAfter),
  },
  views: [],
  certificate: { span: null, ending: null, nextAt: null, isWhy: false },
  lastCheckedAt: null,
  generation: state?.generation ?? 0,
  isUnread: true,
});

/** Nothing is known of any location of it, for this reason. */
export const unreadGaps = ({ locations }: MonitorRow, now: EpochMillis): readonly Gap[] =>
  locations.map((location) => ({ location, from: now, to: now, slots: 0, excuse: unreadExcuse }));
const unreadExcuse = {
  causeId: "",
  sentence: "its results cannot be read now, as their database server cannot be reached",
};

/** What a location last saw. */
export interface LocatedView extends HeardView {
  readonly location: LocationId;
  readonly latency: Millis;
  /** The newest statuses, newest first. */
  readonly recent: readonly ResultStatus[];
  /** The newest slot of which nothing was learned, because the location itself was broken; null if there is none. */
  readonly blindSlot: EpochMillis | null;
}

/** The newest that says so of the monitor, whether it still counts or not; null if none does. */
export function newestBad(
  views: readonly LocatedView[],
  status: "degraded" | "error",
): LocatedView | null {
  const bad = views.filter((view) => seenAs[view.status] === status);
  return bad.toSorted((a, b) => b.slot - a.slot)[0] ?? null;
}

/** What a result says of the monitor. */
export const seenAs: { readonly [S in ResultStatus]: MonitorStatus } = {
  success: "active",
  degraded: "degraded",
  error: "error",
};
