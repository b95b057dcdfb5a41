import { shownLength } from "#base/duration";
import { checksCountedMax } from "#limits/incident-limits";
import { resultsKeptFor } from "#limits/service-limits";
import { downSince } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import type { OutageFigures } from "#service/notify/event-facts";
import { monitorId } from "#service/store/ids";
import type { DayDown, DowntimeSpan } from "#service/store/day-table";
import type { Store } from "#service/store/store";
import { isAway } from "#service/store/store-fault";
import { between, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** What an incident came to, the same for messages and for pages. Null of what is about no monitor. */
export async function outageFigures(
  { alerts, results }: Pick<Store, "results" | "alerts">,
  incident: Incident | UnnumberedIncident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<OutageFigures | null> {
  const { subject, startedAt } = incident;
  if (subject.kind !== "monitor") return null;
  const to = endOf(incident, at);
  // What is no longer kept was seen, so it is not called unknown.
  const from = epochMillis(Math.max(startedAt, at - resultsKeptFor));
  const [{ failed, slow, times }, seen] = await Promise.all([
    alerts.evidence.checked({ monitor: monitorId(subject.id), from, to, period }),
    seenDowntime({ results }, incident, at, period),
  ]);
  const left = Math.max(0, shownLength(startedAt, to) - (seen ?? 0));
  const unknownFor = seconds(Math.min(times.unknown, left));
  const slowFor = seconds(Math.min(times.slow, left - unknownFor));
  return { downFor: seen, slowFor, unknownFor, failedChecks: failed, slowChecks: slow };
}

/** The same for a page, which asks again and again. */
export type ShownFigures = { readonly [K in keyof OutageFigures]: OutageFigures[K] | null };

/**
 * How long it was down alone of an incident that lasts very long, or whose checks are no longer kept: the messages about its
 * end have all.
 */
export async function shownFigures(
  store: Pick<Store, "results" | "alerts">,
  incident: Incident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<ShownFigures | null> {
  const { startedAt } = incident;
  const checks = period === 0 ? 0 : between(startedAt, endOf(incident, at)) / period;
  if (checks <= checksCountedMax && between(startedAt, at) < resultsKeptFor) {
    const figures = await outageFigures(store, incident, at, period);
    // One that opened had such a check, unless its monitor was deleted since.
    if (figures === null || figures.failedChecks + figures.slowChecks > 0) return figures;
  }
  const downFor = await seenDowntime(store, incident, at, period);
  return { downFor, slowFor: null, unknownFor: null, failedChecks: null, slowChecks: null };
}

/**
 * How long a monitor was down in its incident, by the checks that failed, as its own page and the report count. What passed
 * meanwhile is not part of it, also if it was too little to close the incident. Null of what was only slow, is about no
 * monitor, or has no checks that can be read.
 */
export async function seenDowntime(
  { results }: Pick<Store, "results">,
  incident: Incident | UnnumberedIncident,
  at: EpochMillis,
  period: Millis = millis(0),
): Promise<Millis | null> {
  const { subject, worst, startedAt } = incident;
  if (subject.kind !== "monitor" || worst !== "error") return null;
  const to = endOf(incident, at);
  // The newest failure counts until the next check is due: of what failed anew a moment ago, no more than that moment.
  const again = downSince(incident);
  const spans = [
    { from: startedAt, to: again },
    { from: again, to },
  ].filter((span) => span.from < span.to);
  try {
    const seen = await results.downtimes({ monitor: monitorId(subject.id), spans });
    const down = spans.reduce((sum, span, index) => sum + cappedDown(seen[index], span), 0);
    const whole = shownLength(startedAt, to);
    // The newest check may be under way.
    const isAll = down + period / 2 > whole;
    return down === 0 ? null : millis(Math.max(1_000, seconds(isAll ? whole : down)));
  } catch (error) {
    if (!isAway(error)) throw error;
    return null;
  }
}

const endOf = ({ startedAt, ended }: UnnumberedIncident, at: EpochMillis): EpochMillis =>
  epochMillis(Math.max(ended?.at ?? at, startedAt));

/** As the report rounds it. */
const seconds = (length: number): Millis => millis(Math.round(length / 1_000) * 1_000);

const cappedDown = (days: readonly DayDown[] = [], { from, to }: DowntimeSpan): Millis =>
  millis(
    Math.min(
      days.reduce((sum, { down }) => sum + down, 0),
      shownLength(from, to),
    ),
  );
