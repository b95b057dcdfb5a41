import { shownLength } from "#base/duration";
import { downSpans, unseenSince } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/report-limits";
import { severeParts } from "#service/operator/incidents/severe-parts";
import type { ReportPeriod } from "#service/operator/reports/report-period";
import type { IncidentTurn } from "#service/store/alert-store";
import type { DayDown } from "#service/store/day-table";
import { monitorId, type MonitorId } from "#service/store/ids";
import type { ResultStore } from "#service/store/result-store";
import { beginOf } from "#service/store/rollup";
import { startedAfterSlotMax } from "#limits/store-limits";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A stretch in which a monitor was down, as far as it lies in a period. An incident that opened again has several. */
export interface ReportOutage {
  /** Its incident. */
  readonly number: number;
  readonly monitor: MonitorId;
  readonly from: EpochMillis;
  /** Null while it lasts. */
  readonly to: EpochMillis | null;
  /** How long the monitor was down in it, by its checks: those of one monitor never come to more than its downtime. */
  readonly lasted: Millis;
}

type Part = Pick<ReportPeriod, "from" | "to" | "hasEnded">;
/** The days of each monitor that have downtime, as the table of the report has it. */
type DownDays = ReadonlyMap<number, readonly DayDown[]>;

interface Span {
  readonly from: EpochMillis;
  readonly to: EpochMillis | null;
}

/** A stretch before its checks are counted. */
interface PossibleOutage {
  readonly number: number;
  readonly monitor: MonitorId;
  readonly span: { readonly from: EpochMillis; readonly to: EpochMillis };
  readonly isOpen: boolean;
  /** It was down in it for no longer than that. */
  readonly most: Millis;
}

/** Those whose stories have to be read: they can have the longest outages. */
export const incidentsToRead = (
  incidents: readonly Incident[],
  days: DownDays,
  period: Part,
): readonly Incident[] => {
  const longestIn = (incident: Incident): number =>
    Math.max(0, ...possibleIn(incident, troubleOf(incident), days, period).map(({ most }) => most));
  return incidents
    .filter(({ worst }) => worst === "error")
    .map((incident) => ({ incident, length: longestIn(incident) }))
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, limits.outageStoriesRead)
    .map(({ incident }) => incident);
};

/** What is known of incidents, and how it is asked how long a monitor was down in stretches of them. */
interface OutageFacts {
  readonly turns: ReadonlyMap<number, readonly IncidentTurn[]>;
  readonly days: DownDays;
  readonly results: Pick<ResultStore, "downtimes">;
}

/**
 * The longest of a period, the longest first; those of one length are in the order of time. Checks are counted of the
 * monitors that can have one of them: some after the other, until those that are left have none that is longer.
 */
export async function longestOutages(
  incidents: readonly Incident[],
  { turns, days, results }: OutageFacts,
  period: Part,
): Promise<readonly ReportOutage[]> {
  const possible = incidents.flatMap((incident) =>
    possibleIn(incident, outagesOf(incident, turns.get(incident.number) ?? []), days, period),
  );
  const mostFirst = possible.toSorted((a, b) => b.most - a.most);
  const left = [...Map.groupBy(mostFirst, ({ monitor }) => monitor)];
  let longest: readonly ReportOutage[] = [];
  while ((left[0]?.[1][0]?.most ?? 0) > (longest[limits.reportedOutagesMax - 1]?.lasted ?? 0)) {
    const some = left.splice(0, limits.reportedOutagesMax);
    const measured = await Promise.all(
      some.map(async ([monitor, own]) => {
        const downs = await results.downtimes({ monitor, spans: own.map(({ span }) => span) });
        return fitted(own, downs, days.get(monitor) ?? []);
      }),
    );
    longest = [...longest, ...measured.flat()]
      .toSorted((a, b) => b.lasted - a.lasted || a.from - b.from)
      .slice(0, limits.reportedOutagesMax);
  }
  return longest;
}

/**
 * Those of one monitor. Half of its locations make a monitor down: if others see each of its outages, these come to more than the
 * table has of a day, so the shorter ones have what is left of it.
 */
function fitted(
  outages: readonly PossibleOutage[],
  downs: readonly (readonly DayDown[])[],
  days: readonly DayDown[],
): readonly ReportOutage[] {
  const left = new Map(days.map(({ begin, down }) => [begin, down] as const));
  const sum = (own: readonly Pick<DayDown, "down">[]): Millis =>
    millis(own.reduce((total, { down }) => total + down, 0));
  return outages
    .map((outage, index) => ({ outage, seen: downs[index] ?? [] }))
    .toSorted((a, b) => sum(b.seen) - sum(a.seen))
    .map(({ outage: { number, monitor, span, isOpen }, seen }) => {
      const parts = seen.map(({ begin, down }) => {
        const most = left.get(begin) ?? millis(0);
        const part = millis(Math.min(down, most));
        left.set(begin, millis(most - part));
        return { down: part };
      });
      const lasted = millis(Math.min(sum(parts), shownLength(span.from, span.to)));
      return { number, monitor, from: span.from, to: isOpen ? null : span.to, lasted };
    })
    .filter(({ lasted }) => lasted > 0);
}

/** As far as they lie in the period, on days with downtime. One lasts still if its period does. */
function possibleIn(
  { number, subject }: Incident,
  spans: readonly Span[],
  days: DownDays,
  period: Part,
): readonly PossibleOutage[] {
  const monitor = monitorId(subject.id);
  return spans.flatMap(({ from, to }) => {
    const span = {
      from: epochMillis(Math.max(from, period.from)),
      to: epochMillis(Math.min(to ?? period.to, period.to)),
    };
    const own = days.get(monitor) ?? [];
    // A check began up to a minute after its slot, which may lie on the day before.
    const first = beginOf("day", epochMillis(span.from - startedAfterSlotMax));
    const seen = own.filter(({ begin }) => begin >= first && begin < span.to);
    const down = seen.reduce((sum, day) => sum + day.down, 0);
    const most = millis(Math.min(shownLength(span.from, span.to), down));
    const isOpen = to === null && !period.hasEnded;
    return most > 0 ? [{ number, monitor, span, isOpen, most }] : [];
  });
}

/** While no location can say anything, or it is paused, it is not known to be in trouble. */
const troubleOf = (incident: Incident): readonly Span[] =>
  downSpans(incident).map(({ from, to }) => ({ from, to: to ?? unseenSince(incident) }));

/** What of its trouble was down, not slow. */
const outagesOf = (incident: Incident, turns: readonly IncidentTurn[]): readonly Span[] =>
  troubleOf(incident)
    .flatMap((span) => severeParts(span, turns))
    .filter(({ severity }) => severity === "error");
