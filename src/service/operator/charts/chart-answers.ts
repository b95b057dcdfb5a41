import { documentAnswer, lineAnswer } from "#service/edge/page-answer";
import { noMonitor } from "#service/edge/call-refusal";
import {
  type ChartFacts,
  chartFacts,
  type LocatedChoice,
  pastChoice,
} from "#service/operator/charts/past-choice";
import { eachLocation, type LocationSteps } from "#service/operator/charts/each-location";
import { codeWords } from "#service/operator/failures/failure-words";
import type { MonitorStory, Step } from "#service/operator/monitor-story";
import { phaseSections, stepSection } from "#service/operator/page-documents";
import type { OperatorPage } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { unlessAway } from "#service/operator/pictures/unless-away";
import type { MonitorRow } from "#service/store/state-store";
import { cutAbove } from "#web/page/chart/phase-areas";
import { isoTime } from "#web/page/format";

/** `/monitors/ID/chart.json`: what the chart of a monitor's page shows, with the same choice in its address. */
export const chartPage: OperatorPage = {
  role: "reader",
  path: /^\/monitors\/(?<id>\d{1,15})\/chart\.json$/,
  answer: async ({ rooms, pictures }, { id, query }) => {
    const row = await rooms.monitors.get(id);
    const monitor = (await pictures.withMonitor(row.id))?.monitor;
    if (monitor === undefined) throw noMonitor(id);
    const now = rooms.clock.wall();
    const choice = pastChoice(row, monitor, query, now);
    if (choice.range.fault !== null) return lineAnswer(400, choice.range.fault.words);
    const { found } = await unlessAway(monitor, async (one) => {
      const facts = await chartFacts(rooms, one, choice, now);
      return { ...facts, locations: await eachLocation(rooms, one, row, choice, facts.story) };
    });
    return documentAnswer(chartDocument({ ...found, monitor, choice, row }));
  },
};

interface Chart extends ChartFacts {
  /** Of a chart of all locations, each of them; both that are compared by their single checks; empty of any other. */
  readonly locations: readonly LocationSteps[];
  readonly monitor: PicturedMonitor;
  readonly choice: LocatedChoice;
  readonly row: MonitorRow;
}

function chartDocument(chart: Chart): object {
  const { choice, story, marks, row, locations, monitor } = chart;
  const { degradedAt: threshold } = row.definition;
  return {
    from: isoTime(story.span.from),
    to: isoTime(story.span.to),
    step_ms: choice.range.step,
    period_ms: monitor.period,
    threshold_ms: threshold === 0 ? null : threshold,
    series: seriesOf(chart),
    earlier:
      choice.earlier === null
        ? null
        : { name: choice.earlier.words, steps: chart.formerly.map(stepSection) },
    locations: locations.map(({ location, steps }) => ({
      location: String(location),
      name: nameOf(monitor, location),
      steps: steps.map(stepSection),
    })),
    points: pointsOf(story),
    echoes: (story.echoes?.values ?? []).map(({ at, round, lost }) => ({
      at: isoTime(at),
      least_ms: round?.least ?? null,
      most_ms: round?.most ?? null,
      lost,
    })),
    phases: phaseSections(story),
    phases_cut_at_ms: cutAbove(story.phases ?? []),
    marks: marks.map(({ kind, from, to, words, address }) => ({
      kind,
      from: isoTime(from),
      to: isoTime(to),
      words,
      address,
    })),
  };
}

const pointsOf = ({ points }: MonitorStory): readonly object[] =>
  points.map(({ slot, status, latency, location, failure }) => ({
    at: isoTime(slot),
    location: String(location),
    status,
    latency_ms: latency,
    failure: failure === null ? null : { code: failure, words: codeWords(failure) },
  }));

/** The steps of the location that is shown, and of the one that it is compared with. */
function seriesOf({ monitor, choice, story, compared }: Chart): readonly object[] {
  const section = (id: number | null, steps: readonly Step[]): object => ({
    location: id === null ? null : String(id),
    name: nameOf(monitor, id),
    steps: steps.map(stepSection),
  });
  const { location, other } = choice;
  return [section(location, story.steps), ...(other === null ? [] : [section(other, compared)])];
}

const nameOf = ({ seenBy }: PicturedMonitor, id: number | null): string =>
  seenBy.find(({ location }) => location === id)?.name ?? "All locations";
