import { downSpans, shownLength, unseenSince } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/report-limits";
import { severeParts } from "#service/operator/incidents/severe-parts";
import type { ReportPeriod } from "#service/operator/reports/report-period";
import type { IncidentTurn } from "#service/store/alert-store";
import { monitorId, type MonitorId } from "#service/store/ids";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A stretch in which a monitor was down, as far as it lies in a period. An incident that opened again has several. */
export interface ReportOutage {
  /** Its incident. */
  readonly number: number;
  readonly monitor: MonitorId;
  readonly from: EpochMillis;
  /** Null while it lasts. */
  readonly to: EpochMillis | null;
  /** How long the monitor was down in it: never longer than in the whole period. */
  readonly lasted: Millis;
}

type Span = Pick<ReportOutage, "from" | "to">;
type Part = Pick<ReportPeriod, "from" | "to" | "hasEnded">;

/** What of each incident is known besides. */
interface OutageFacts {
  readonly turns: ReadonlyMap<number, readonly IncidentTurn[]>;
  /** How long each monitor was down in the period, by its checks. */
  readonly down: ReadonlyMap<number, Millis>;
}

/** Those whose stories have to be read: they can have the longest outages. */
export const incidentsToRead = (
  incidents: readonly Incident[],
  period: Part,
): readonly Incident[] => {
  const longestIn = (incident: Incident): number =>
    Math.max(0, ...troubleOf(incident).map((span) => lengthIn(span, period)));
  return incidents
    .filter(({ worst }) => worst === "error")
    .map((incident) => ({ incident, length: longestIn(incident) }))
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, limits.outageStoriesRead)
    .map(({ incident }) => incident);
};

/** The longest of a period, the longest first; those of one length are in the order of time. */
export const longestOutages = (
  incidents: readonly Incident[],
  { turns, down }: OutageFacts,
  period: Part,
): readonly ReportOutage[] =>
  incidents
    .flatMap((incident) => {
      const most = down.get(incident.subject.id) ?? millis(0);
      return outagesOf(incident, turns.get(incident.number) ?? []).map((span) => ({
        number: incident.number,
        monitor: monitorId(incident.subject.id),
        from: epochMillis(Math.max(span.from, period.from)),
        to: endIn(span, period),
        lasted: millis(Math.min(lengthIn(span, period), most)),
      }));
    })
    .filter(({ lasted }) => lasted > 0)
    .toSorted((a, b) => b.lasted - a.lasted || a.from - b.from)
    .slice(0, limits.reportedOutagesMax);

/** Null while it lasts: of a period that has ended, all of it is over. */
const endIn = ({ to }: Span, period: Part): EpochMillis | null =>
  to === null && !period.hasEnded ? null : epochMillis(Math.min(to ?? period.to, period.to));

const lengthIn = ({ from, to }: Span, period: Part): Millis =>
  shownLength(
    epochMillis(Math.max(from, period.from)),
    epochMillis(Math.min(to ?? period.to, period.to)),
  );

/** While no location can say anything, or it is paused, it is not known to be in trouble. */
const troubleOf = (incident: Incident): readonly Span[] =>
  downSpans(incident).map(({ from, to }) => ({ from, to: to ?? unseenSince(incident) }));

/** What of its trouble was down, not slow. */
const outagesOf = (incident: Incident, turns: readonly IncidentTurn[]): readonly Span[] =>
  troubleOf(incident)
    .flatMap((span) => severeParts(span, turns))
    .filter(({ severity }) => severity === "error");
