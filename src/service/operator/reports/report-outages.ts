import { downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/report-limits";
import type { ReportMonth } from "#service/operator/reports/report-month";
import { monitorId, type MonitorId } from "#service/store/ids";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** An incident in which a monitor was down, as far as it lies in a month. */
export interface ReportOutage {
  readonly number: number;
  readonly monitor: MonitorId;
  readonly from: EpochMillis;
  /** How long it was in trouble in the month, slow time included. */
  readonly lasted: Millis;
  readonly isOpen: boolean;
}

/** The longest of a month, the longest first; those of one length are in the order of time. */
export const longestOutages = (
  incidents: readonly Incident[],
  month: Pick<ReportMonth, "from" | "to">,
): readonly ReportOutage[] =>
  incidents
    .filter(({ worst }) => worst === "error")
    .map((incident) => outageIn(incident, month))
    .filter(({ lasted }) => lasted > 0)
    .toSorted((a, b) => b.lasted - a.lasted || a.from - b.from)
    .slice(0, limits.reportedOutagesMax);

/** While no location can say anything, it is not known to be down. */
function outageIn(
  incident: Incident,
  { from, to }: Pick<ReportMonth, "from" | "to">,
): ReportOutage {
  const lasted = downSpans(incident).reduce((sum, one) => {
    const end = one.to ?? incident.noDataSince ?? to;
    return sum + Math.max(0, Math.min(end, to) - Math.max(one.from, from));
  }, 0);
  return {
    number: incident.number,
    monitor: monitorId(incident.subject.id),
    from: incident.startedAt,
    lasted: millis(lasted),
    isOpen: incident.ended === null,
  };
}
