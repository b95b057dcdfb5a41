import { figureTable } from "#service/edge/figure-table";
import type { MonitorDefinition } from "#check/definition";
import { englishAxis, type LatencyCurve, latencyChart } from "#web/page/chart/latency-chart";
import { highestCut, phaseAreas, phaseLegend } from "#web/page/chart/phase-areas";
import {
  grouped,
  isoTime,
  knownMillis,
  monthDay,
  setLength,
  shortTook,
  timeOfDay,
} from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { ChartFacts } from "#service/operator/charts/past-choice";
import { choiceQuery, type PastChoice, rangeChoice } from "#service/operator/charts/range-choice";
import { isOfSingles, type TimeRange } from "#service/operator/charts/time-range";
import type { MonitorStory, Step } from "#service/operator/monitor-story";
import { scriptTag } from "#service/operator/script-tag";
import type { PicturedMonitor } from "#service/operator/picture";
import { type Millis, millis } from "#base/units";

/** What a chart of latencies is drawn from. */
type DrawnPast = ChartFacts & Pick<PastPage, "monitor" | "definition" | "range">;

export interface PastPage extends PastChoice, ChartFacts {
  readonly monitor: PicturedMonitor;
  readonly definition: MonitorDefinition;
}

/** A monitor over time: latency with its quantiles and threshold, what happened meanwhile, and where the time went. */
export function pastView(page: PastPage): Html {
  const { monitor, range, story } = page;
  const words = pastWords(page);
  return html`<section aria-labelledby="past">
    <h2 id="past">Latency</h2>
    ${rangeChoice(monitor, page)}
    <div class="plot" data-chart="/monitors/${monitor.id}/chart.json?${choiceQuery(page)}">
      ${hasChecks(story) ? latencySvg(page, words) : html`<p class="nothing">${nothingWords(page)}</p>`}
    </div>
    <p class="words">
      ${words}.${isOfSingles(range) ? null : ` ${curveWords(page)}`}
      ${story.echoes === null ? null : echoWords}
    </p>
    ${stepTable(story)} ${phaseSection(page)} ${scriptTag("chart")}
  </section>`;
}

export const hasChecks = ({ steps, points }: MonitorStory): boolean =>
  points.length > 0 || steps.some(({ passed, degraded, failed }) => passed + degraded + failed > 0);

/** What is shown in the place of an empty chart. */
const nothingWords = ({ story, monitor }: PastPage): string => {
  if (story.newest.length > 0) return "No check was made in this range. Choose a longer one.";
  if (monitor.status === "inactive") return "No check was made yet: the monitor is paused.";
  if (monitor.seenBy.length === 0) return "No check was made yet: no location runs the monitor.";
  return `No check was made yet. The first one comes within ${setLength(monitor.period)}.`;
};

export function latencySvg(page: DrawnPast, words: string): Html {
  const { definition, story, marks, compared, range } = page;
  const { steps, points, echoes, span: time } = story;
  const isShort = isOfSingles(range);
  const threshold = definition.degradedAt === null ? null : millis(definition.degradedAt);
  const second = compared.length === 0 ? [] : [curveOf("other", "p50", compared, range)];
  const p95 = second.length > 0 ? [] : [curveOf("p95", "p95", steps, range)];
  const first = isShort ? [] : [curveOf("p50", "p50", steps, range), ...p95];
  return latencyChart({
    span: time,
    marks,
    echoes: echoes === null ? null : { values: echoes.values, gap: bandGap(page) },
    failures: isShort ? [] : steps.filter(({ failed }) => failed > 0).map(({ at }) => at),
    curves: [...first, ...second],
    points,
    threshold: threshold === 0 ? null : threshold,
    words,
    axis: englishAxis,
  });
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

/** What the lines of the chart are. */
function curveWords({ monitor, range, location, other }: PastPage): string {
  const each = `of each ${setLength(range.step)}`;
  const nameOf = (id: number | null): string =>
    monitor.seenBy.find((one) => one.location === id)?.name ?? "";
  return other === null
    ? `The line is the median, the dashes are p95, ${each}; a cross is a failure.`
    : `The lines are the medians ${each}: ${nameOf(location)}, and in the second colour ${nameOf(other)}.`;
}

const echoWords =
  "The band goes from the shortest round trip to the longest; a line on the ground is echoes that were lost.";

/** Single pings are as far apart as they are made; stretches as they are long. */
const bandGap = ({ range, monitor }: DrawnPast): Millis =>
  millis(1.5 * (isOfSingles(range) ? monitor.period : range.step));

/** `24h: 2 870 passed, 4 degraded, 3 failed; half within 12 ms, 19 of 20 within 31 ms at most`. */
export function pastWords({ story, range }: DrawnPast): string {
  const sum = (of: (step: MonitorStory["steps"][number]) => number): number =>
    story.steps.reduce((total, step) => total + of(step), 0);
  const [passed, degraded, failed] = [
    sum((one) => one.passed),
    sum((one) => one.degraded),
    sum((one) => one.failed),
  ];
  const name = rangeNamed(range);
  if (passed + degraded + failed === 0) return `${name}: no check`;
  const highest = story.steps.reduce((most, { p95 }) => Math.max(most, p95 ?? 0), 0);
  return `${name}: ${grouped(passed)} passed, ${grouped(degraded)} degraded, ${grouped(failed)} failed${
    highest === 0 ? "" : `; the highest p95 is ${knownMillis(millis(highest))}`
  }${lossWords(story)}`;
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
  const share = lost === 0 ? "" : `, ${Number(((100 * lost) / sent).toPrecision(2))} %`;
  return `; ${lost === 0 ? "none" : grouped(lost)} of ${grouped(sent)} ${sent === 1 ? "echo" : "echoes"} lost${share}`;
}

function stepTable({ steps }: MonitorStory): Html | null {
  if (steps.length === 0) return null;
  const rows = steps.toReversed().map(
    ({ at, passed, degraded, failed, p50, p95 }) =>
      html`<tr>
        <td><time datetime="${isoTime(at)}">${monthDay(at)} ${timeOfDay(at).slice(0, 5)}</time></td>
        <td>${grouped(passed)}</td>
        <td>${grouped(degraded)}</td>
        <td>${grouped(failed)}</td>
        <td>${p50 === null ? "–" : shortTook(p50)}</td>
        <td>${p95 === null ? "–" : shortTook(p95)}</td>
      </tr>`,
  );
  return html`<details>
    <summary>As figures, newest first</summary>
    ${figureTable("Table of figures", ["From", "Passed", "Degraded", "Failed", "p50", "p95"], rows)}
  </details>`;
}

function phaseSection({ story, range }: PastPage): Html | null {
  const { phases, span: time } = story;
  if (phases === null)
    return html`<p class="words">
      Phases are kept with each result, for 14 days: choose 7d or less to see where the time went.
    </p>`;
  const legend = phaseLegend(phases);
  if (legend.length === 0) return null;
  const cut = highestCut(phases);
  const words = `Where the time went: ${legend.map(({ name, share }) => `${name} ${Math.round(share * 100)} %`).join(", ")}`;
  return html`<h3 id="phases">Phases</h3>
    <div class="plot" data-phases>
      ${phaseAreas({ span: time, stretches: phases, length: range.step, words })}
    </div>
    <ul class="legend">
      ${legend.map(
        ({ name, mean, share }) =>
          html`<li>
            <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect class="phase ${name}" width="10" height="10" /></svg
            >${name}
            <span class="note"
              >${mean.toFixed(mean < 1 ? 3 : 1)} ms, ${Math.round(share * 100)} %</span
            >
          </li>`,
      )}
    </ul>
    ${cut === null ? null : html`<p class="words">A column with a gap near its top is cut: the highest takes ${shortTook(cut)}.</p>`}`;
}
