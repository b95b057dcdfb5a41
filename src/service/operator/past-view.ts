import { figureTable } from "#service/edge/figure-table";
import type { MonitorDefinition } from "#check/definition";
import { englishAxis, type LatencyCurve, latencyChart } from "#web/page/chart/latency-chart";
import { highestCut, phaseAreas, phaseLegend } from "#web/page/chart/phase-areas";
import { capital } from "#base/text";
import type { PhaseName } from "#check/outcome";
import { middleOf } from "#web/page/chart/time-axis";
import {
  grouped,
  isoTime,
  latencyWords,
  monthDay,
  lengthOf,
  shareWords,
  timeOfDay,
} from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { chartKey } from "#service/operator/charts/chart-key";
import { haveLines } from "#service/operator/charts/each-location";
import type { ChartFacts } from "#service/operator/charts/past-choice";
import {
  choiceQuery,
  locationChoice,
  type PastChoice,
  rangeChoice,
} from "#service/operator/charts/range-choice";
import type { EarlierTime } from "#service/operator/charts/earlier-time";
import type { TimeRange } from "#service/operator/charts/time-range";
import type { MonitorStory, Step } from "#service/operator/monitor-story";
import { scriptTag } from "#service/operator/script-tag";
import type { PicturedMonitor } from "#service/operator/picture";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** What a chart of latencies is drawn from. */
type DrawnPast = ChartFacts &
  Pick<PastPage, "monitor" | "definition" | "range"> & {
    /** Null: of all locations, whose colours the key of the chart names. A chart without a key leaves it out. */
    readonly location?: number | null;
    /** The location that it is compared with. */
    readonly other?: number | null;
    /** The earlier time that it is compared with. */
    readonly earlier?: EarlierTime | null;
  };

export interface PastPage extends PastChoice, ChartFacts {
  readonly monitor: PicturedMonitor;
  readonly definition: MonitorDefinition;
  /** Whether no agent of its locations has ever called. */
  readonly isWithoutAgent: boolean;
}

/** A monitor over time: latency with its quantiles and threshold, what happened meanwhile, and where the time went. */
export function pastView(page: PastPage): Html {
  const { monitor, story, compared, other } = page;
  const words = pastWords(page);
  const hasSome = hasChecks(story) || hasChecks({ steps: compared, points: [] });
  const nameOf = (id: number | null): string =>
    monitor.seenBy.find(({ location }) => location === id)?.name ?? "";
  const second = other === null ? null : stepTable(compared, `, ${nameOf(other)}`);
  return html`<section class="charts" aria-labelledby="past">
    <div class="charts-head">
      <h2 id="past">Latency</h2>
      ${locationChoice(monitor, page)}
    </div>
    ${rangeChoice(monitor, page)}
    <div class="plot" data-chart="/monitors/${monitor.id}/chart.json?${choiceQuery(page)}">
      ${hasSome ? latencySvg(page, words) : html`<p class="nothing">${nothingWords(page)}</p>`}
    </div>
    ${
      hasSome
        ? html`${chartKey(page)}
            <p class="words">${words}.</p>`
        : null
    }
    ${stepTable(story.steps, other === null ? "" : `, ${nameOf(page.location)}`)} ${second}
    ${phaseSection(page)} ${scriptTag("chart")}
  </section>`;
}

export const hasChecks = ({ steps, points }: Pick<MonitorStory, "steps" | "points">): boolean =>
  points.length > 0 || steps.some(({ passed, degraded, failed }) => passed + degraded + failed > 0);

/** What is shown in the place of an empty chart. */
const nothingWords = ({ story, monitor, isWithoutAgent }: PastPage): string => {
  if (story.newest.length > 0) return "No check was made in this range. Choose a longer one.";
  if (monitor.status === "inactive") return "No check was made yet: the monitor is paused.";
  if (monitor.seenBy.length === 0) return "No check was made yet: no location runs the monitor.";
  if (isWithoutAgent) return "No check was made yet: no agent runs at its locations.";
  return `No check was made yet. The first one comes within ${lengthOf(monitor.period)}.`;
};

/** In the middle of each, as in the chart of phases; those of the location that it is compared with, too. */
const failedSteps = ({ story, compared, range }: DrawnPast): readonly EpochMillis[] => [
  ...new Set(
    [...story.steps, ...compared]
      .filter(({ failed }) => failed > 0)
      .map(({ at }) => middleOf(at, range.step, story.span)),
  ),
];

export function latencySvg(page: DrawnPast, words: string): Html {
  const { definition, story, marks, compared, formerly, range } = page;
  const { steps, points, echoes, span: time } = story;
  const isSingle = points.length > 0;
  const places = placesIn(page);
  const threshold = definition.degradedAt === null ? null : millis(definition.degradedAt);
  const isAlone = (page.other ?? null) === null;
  const earlier =
    (page.earlier ?? null) === null ? [] : [curveOf("earlier", "p50", formerly, range)];
  const upper = isAlone
    ? curveOf("p95", "p95", steps, range)
    : curveOf("other", "p50", compared, range);
  return latencyChart({
    span: time,
    marks,
    echoes: echoes === null ? null : { values: echoes.values, gap: bandGap(page) },
    failures: isSingle ? [] : failedSteps(page),
    curves: isSingle
      ? earlier
      : [curveOf("p50", "p50", steps, range), ...(earlier.length > 0 ? earlier : [upper])],
    points: points.map((point) => ({ ...point, place: places.get(point.location) ?? 0 })),
    threshold: threshold === 0 ? null : threshold,
    words,
    axis: englishAxis,
  });
}

/** Which of its locations each is, as the key of the chart has them; empty if it does not tell them apart. */
function placesIn({ monitor, location, other }: DrawnPast): ReadonlyMap<number, number> {
  if (location === undefined) return new Map();
  const all = monitor.seenBy.map((one) => one.location);
  const compared = [location, other ?? null].filter((one) => one !== null);
  const shown = location === null ? (haveLines(all.length) ? all : []) : compared;
  return new Map(shown.map((one, place) => [one, place]));
}

const curveOf = (
  name: LatencyCurve["name"],
  of: "p50" | "p95",
  steps: readonly Step[],
  { step: length }: TimeRange,
): LatencyCurve => ({
  name,
  values: steps.flatMap((step) => {
    const latency = step[of];
    return latency === null ? [] : [{ at: step.at, latency }];
  }),
  gap: millis(length * 1.5),
});

/** Single pings are as far apart as they are made; stretches as they are long. */
const bandGap = ({ range, monitor, story }: DrawnPast): Millis =>
  millis(1.5 * (story.points.length > 0 ? monitor.period : range.step));

/** `24h: 2 870 passed, 4 degraded, 3 failed; half within 12 ms, 19 of 20 within 31 ms at most`; of both that are compared. */
export function pastWords(past: DrawnPast): string {
  const { story, range, compared, location, other, earlier, formerly, monitor } = past;
  const name = rangeNamed(range);
  const nameOf = (id: number | null | undefined): string =>
    monitor.seenBy.find((one) => one.location === id)?.name ?? "";
  const own = `${countWords(story.steps, range)}${lossWords(story)}`;
  const before =
    (earlier ?? null) === null
      ? ""
      : `. ${capital(earlier?.words ?? "")}: ${countWords(formerly, range)}`;
  return (other ?? null) === null
    ? `${name}: ${own}${before}`
    : `${name}, ${nameOf(location)}: ${own}. ${nameOf(other)}: ${countWords(compared, range)}`;
}

function countWords(steps: readonly Step[], range: TimeRange): string {
  const sum = (of: (step: Step) => number): number =>
    steps.reduce((total, step) => total + of(step), 0);
  const [passed, degraded, failed] = [
    sum((one) => one.passed),
    sum((one) => one.degraded),
    sum((one) => one.failed),
  ];
  if (passed + degraded + failed === 0) return "no check";
  const highest = steps.reduce((most, { p95 }) => Math.max(most, p95 ?? 0), 0);
  // The tile has p95 of days: this is that of the slowest of many short times.
  const slowest = `; the highest p95 of any ${lengthOf(range.step)} is ${latencyWords(millis(highest))}`;
  return `${grouped(passed)} passed, ${grouped(degraded)} degraded, ${grouped(failed)} failed${highest === 0 ? "" : slowest}`;
}

const rangeNamed = ({ name }: TimeRange): string => {
  if (name === "custom") return "This range";
  return name === "all" ? "Since it was created" : name;
};

/** `; 3 of 8 640 echoes lost, 0.03 %`. */
function lossWords({ echoes }: MonitorStory): string {
  if (echoes === null) return "";
  const { sent, received } = echoes;
  const lost = sent - received;
  const share = lost === 0 ? "" : `, ${shareWords((100 * lost) / sent)}`;
  return `; ${lost === 0 ? "none" : grouped(lost)} of ${grouped(sent)} ${sent === 1 ? "echo" : "echoes"} lost${share}`;
}

/** Of one of two locations, `at` names it. */
function stepTable(steps: readonly Step[], at: string): Html | null {
  if (steps.length === 0) return null;
  const rows = steps.toReversed().map(
    ({ at, passed, degraded, failed, p50, p95 }) =>
      html`<tr>
        <td><time datetime="${isoTime(at)}">${monthDay(at)} ${timeOfDay(at).slice(0, 5)}</time></td>
        <td>${grouped(passed)}</td>
        <td>${grouped(degraded)}</td>
        <td>${grouped(failed)}</td>
        <td>${p50 === null ? "–" : latencyWords(p50)}</td>
        <td>${p95 === null ? "–" : latencyWords(p95)}</td>
      </tr>`,
  );
  return html`<details>
    <summary>As figures${at}, newest first</summary>
    ${figureTable(`Table of figures${at}`, ["From", "Passed", "Degraded", "Failed", "p50", "p95"], rows)}
  </details>`;
}

/** Of the location that is shown, not of the one that it is compared with. */
function phaseSection(page: PastPage): Html | null {
  const { story, range, monitor } = page;
  const { phases, points, span: time } = story;
  if (phases === null)
    return html`<p class="words">
      Phases are kept with each result, for 14 days: choose 7d or less to see where the time went.
    </p>`;
  const legend = phaseLegend(phases);
  // One phase alone is the latency above.
  if (legend.length < 2) return null;
  if (phases.filter(({ passed }) => passed > 0).length < 2)
    return html`<p class="words">
      The chart of phases begins once checks have passed in two steps of ${lengthOf(range.step)}.
    </p>`;
  const named = (name: PhaseName): string =>
    name === "connect" && story.echoes !== null ? "round trip" : name;
  const cut = highestCut(phases);
  const words = `Where the time went: ${legend.map(({ name, share }) => `${named(name)} ${Math.round(share * 100)}\u00a0%`).join(", ")}`;
  const isOwn = (one: number): boolean => page.other === null || one === page.location;
  const failed = points
    .filter((point) => point.status === "error" && isOwn(point.location))
    .map(({ slot }) => slot);
  const failures = points.length > 0 ? { failures: failed } : {};
  const place = monitor.seenBy.find(({ location }) => location === page.location)?.name ?? "";
  return html`<h3 id="phases">Phases${page.other === null ? null : ` at ${place}`}</h3>
    <div class="plot" data-phases>
      ${phaseAreas({ span: time, stretches: phases, length: range.step, words, ...failures })}
    </div>
    <ul class="legend">
      ${legend.map(
        ({ name, mean, share }) =>
          html`<li>
            <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect class="phase ${name}" width="10" height="10" /></svg
            >${named(name)}
            <span class="note">${latencyWords(mean)}, ${Math.round(share * 100)} %</span>
          </li>`,
      )}
    </ul>
    ${cut === null ? null : html`<p class="words">A column with a gap near its top is cut: the highest takes ${latencyWords(cut)}.</p>`}`;
}
