import { downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/pages-limits";
import { fewerMarks } from "#service/operator/charts/fewer-marks";
import { severeParts } from "#service/operator/incidents/severe-parts";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Sight } from "#service/operator/picture";
import type { IncidentTurn } from "#service/store/alert-store";
import type { ChartMark } from "#web/page/chart/chart-marks";
import type { TimeSpan } from "#web/page/chart/time-axis";

/** Each incident of a monitor that was open in a time: red where it was down, amber where it was slow. */
export async function incidentMarks(
  { store }: Pick<PageRooms, "store">,
  monitor: number,
  time: TimeSpan,
): Promise<readonly ChartMark[]> {
  const { incidents } = store.alerts;
  const shown = newestIn(await incidents.since([monitor], time.from), time);
  const changed = shown.filter(({ worst }) => worst === "error").map(({ number }) => number);
  const turns = changed.length === 0 ? new Map() : await incidents.turns(changed);
  const marks = shown.map((one) => partsOf(one, turns.get(one.number) ?? [], time));
  return fewerMarks(marks, limits.chartMarksMax);
}

/** The newest of those that were open in a time: as many as a chart marks. */
const newestIn = (found: readonly Incident[], { to }: TimeSpan): readonly Incident[] =>
  found.filter(({ startedAt }) => startedAt < to).slice(-limits.chartMarksMax);

/** A mark for each stretch of an incident in which it was in trouble, and alike. */
const partsOf = (
  incident: Incident,
  turns: readonly IncidentTurn[],
  time: TimeSpan,
): readonly ChartMark[] =>
  spansIn(incident, time)
    .flatMap((span) =>
      incident.worst === "error"
        ? severeParts(span, turns)
        : [{ ...span, severity: incident.worst }],
    )
    .filter((part) => isIn(part, time))
    .map(({ from, to, severity }) => ({
      kind: severity,
      from,
      to: to ?? time.to,
      words: `Incident ${incident.number}${incident.ended === null ? ", open" : ""}`,
      address: addressOf(incident),
    }));

const addressOf = ({ number }: Incident): string => `/incidents/${number}`;

type Span = ReturnType<typeof downSpans>[number];

const isIn = (span: Span, { from, to }: TimeSpan): boolean =>
  span.from < to && (span.to ?? to) >= from;

const spansIn = (incident: Incident, time: TimeSpan): readonly Span[] =>
  downSpans(incident).filter((span) => isIn(span, time));

/** When no agent of these locations reported, so that nothing was checked from there. */
export async function silenceMarks(
  { store }: Pick<PageRooms, "store">,
  sights: readonly Pick<Sight, "location" | "name">[],
  time: TimeSpan,
): Promise<readonly ChartMark[]> {
  if (sights.length === 0) return [];
  const names = new Map(sights.map(({ location, name }) => [location, name]));
  const ids = [...names.keys()];
  const found = await store.alerts.incidents.since(ids, time.from, "location");
  const marks = newestIn(found, time).map((incident) =>
    silencesOf(incident, names.get(incident.subject.id) ?? "", time),
  );
  return fewerMarks(marks, limits.chartMarksMax);
}

const silencesOf = (incident: Incident, name: string, time: TimeSpan): readonly ChartMark[] =>
  spansIn(incident, time).map(({ from, to }) => ({
    kind: "gap",
    from,
    to: to ?? time.to,
    words: `Incident ${incident.number}: ${name} ${incident.ended === null ? "is" : "was"} silent`,
    address: addressOf(incident),
  }));
