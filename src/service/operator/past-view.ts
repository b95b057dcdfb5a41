import { figureTable } from "#service/edge/figure-table";
import type { MonitorDefinition } from "#check/definition";
import { englishAxis, type LatencyCurve, latencyChart } from "#web/page/chart/latency-chart";
import { phaseAreas, phaseLegend } from "#web/page/chart/phase-areas";
import {
  grouped,
  isoTime,
  knownMillis,
  monthDay,
  shortMillis,
  span,
  timeOfDay,
} from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { MonitorStory } from "#service/operator/monitor-story";
import type { PicturedMonitor } from "#service/operator/picture";
import { rangeNames, type TimeRange } from "#service/operator/time-range";
import { type Millis, millis } from "#base/units";

export interface PastPage {
  readonly monitor: PicturedMonitor;
  readonly definition: MonitorDefinition;
  readonly story: MonitorStory;
  readonly range: TimeRange;
  /** Null shows all locations. */
  readonly location: number | null;
}

/** A monitor over time: latency with its quantiles and threshold, and where the time went. */
export function pastView(page: PastPage): Html {
  const { range, story, definition } = page;
  const { steps, points, span: time } = story;
  const gap = millis(range.step * 1.5);
  const curve = (name: "p50" | "p95"): LatencyCurve => ({
    name,
    values: steps.flatMap((step) => {
      const latency = step[name];
      return latency === null ? [] : [{ at: step.at, latency }];
    }),
    gap,
  });
  const threshold = definition.degradedAt === null ? null : millis(definition.degradedAt);
  const words = pastWords(page);
  return html`<section aria-labelledby="past">
    <h2 id="past">Latency</h2>
    ${rangeChoice(page)}
    ${latencyChart({
      span: time,
      curves: range.name === "1h" ? [] : [curve("p50"), curve("p95")],
      points,
      echoes: story.echoes === null ? null : { values: story.echoes.values, gap: bandGap(page) },
      threshold: threshold === 0 ? null : threshold,
      words,
      axis: englishAxis,
    })}
    <p class="words">
      ${words}.${range.name === "1h" ? null : html` The line is the median, the dashes are p95, of each ${span(range.step)}.`}
      ${story.echoes === null ? null : echoWords}
    </p>
    ${stepTable(story)} ${phaseSection(page)}
  </section>`;
}

const echoWords =
  "The band goes from the shortest round trip to the longest; a line on the ground is echoes that were lost.";

/** Single pings are as far apart as they are made; stretches as they are long. */
const bandGap = ({ range, monitor }: PastPage): Millis =>
  millis(1.5 * (range.name === "1h" ? monitor.period : range.step));

/** `24h: 2 870 passed, 4 degraded, 3 failed; half within 12 ms, 19 of 20 within 31 ms at most`. */
function pastWords({ story, range }: PastPage): string {
  const sum = (of: (step: MonitorStory["steps"][number]) => number): number =>
    story.steps.reduce((total, step) => total + of(step), 0);
  const [passed, degraded, failed] = [
    sum((one) => one.passed),
    sum((one) => one.degraded),
    sum((one) => one.failed),
  ];
  if (passed + degraded + failed === 0) return `${range.name}: no check`;
  const highest = story.steps.reduce((most, { p95 }) => Math.max(most, p95 ?? 0), 0);
  return `${range.name}: ${grouped(passed)} passed, ${grouped(degraded)} degraded, ${grouped(failed)} failed${
    highest === 0 ? "" : `; the highest p95 is ${knownMillis(millis(highest))}`
  }${lossWords(story)}`;
}

/** `; 3 of 8 640 echoes lost, 0.03 %`. */
function lossWords({ echoes }: MonitorStory): string {
  if (echoes === null) return "";
  const { sent, received } = echoes;
  const lost = sent - received;
  const share = lost === 0 ? "" : `, ${Number(((100 * lost) / sent).toPrecision(2))} %`;
  return `; ${lost === 0 ? "none" : grouped(lost)} of ${grouped(sent)} ${sent === 1 ? "echo" : "echoes"} lost${share}`;
}

function rangeChoice({ monitor, range, location }: PastPage): Html {
  const at = location === null ? "" : `&location=${location}`;
  const ranges = rangeNames.map((name) => {
    const current = name === range.name ? html` aria-current="true"` : null;
    return html`<li>
      <a href="/monitors/${monitor.id}?range=${name}${at}" ${current}>${name}</a>
    </li>`;
  });
  const place = (id: number | null, name: string): Html => {
    const current = id === location ? html` aria-current="true"` : null;
    const query = id === null ? "" : `&location=${id}`;
    return html`<li>
      <a href="/monitors/${monitor.id}?range=${range.name}${query}" ${current}>${name}</a>
    </li>`;
  };
  const places =
    monitor.seenBy.length < 2
      ? null
      : html`<nav aria-label="Location">
          <ul>
            ${place(null, "All locations")}${monitor.seenBy.map((one) => place(one.location, one.name))}
          </ul>
        </nav>`;
  return html`<div class="choices">
    <nav aria-label="Range">
      <ul>
        ${ranges}
      </ul>
    </nav>
    ${places}
  </div>`;
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
        <td>${p50 === null ? "–" : shortMillis(p50)}</td>
        <td>${p95 === null ? "–" : shortMillis(p95)}</td>
      </tr>`,
  );
  return html`<details>
    <summary>As figures, the newest first</summary>
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
  const words = `Where the time went: ${legend.map(({ name, share }) => `${name} ${Math.round(share * 100)} %`).join(", ")}`;
  return html`<h3 id="phases">Phases</h3>
    ${phaseAreas({ span: time, stretches: phases, length: range.step, words })}
    ${figureTable(
      "Table of phases",
      ["Phase", "Mean", "Share"],
      legend.map(
        ({ name, mean, share }) =>
          html`<tr>
            <th scope="row">
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <rect class="phase ${name}" width="10" height="10" /></svg
              >${name}
            </th>
            <td>${mean.toFixed(mean < 1 ? 3 : 1)} ms</td>
            <td>${Math.round(share * 100)} %</td>
          </tr>`,
      ),
    )}`;
}
