import { type EchoBand, echoBand, longestOf } from "#web/page/chart/echo-band";
import { type ChartMark, markAreas } from "#web/page/chart/chart-marks";
import { groundCross } from "#web/page/chart/ground-cross";
import { percentOf, timeAxis, type TimeSpan } from "#web/page/chart/time-axis";
import { heightOf, roundAbove, valueAxis } from "#web/page/chart/value-axis";
import { limitWords, monthDay, setLimit } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { ResultPoint } from "#web/page/sparkline";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** A result with how far its latency may be off. */
export interface LatencyPoint extends ResultPoint {
  readonly errorBar: Millis;
  /** Of several locations, which one it is of, from 0: each has its colour. */
  readonly place?: number;
}

/** A quantile over time, e.g. p95 of each hour. */
export interface LatencyCurve {
  /** Also the class of its line. */
  readonly name: "p50" | "p95" | "latency" | "other" | "earlier";
  /** Oldest first. */
  readonly values: readonly { readonly at: EpochMillis; readonly latency: Millis }[];
  /** Values further apart than this have a gap between them: nothing is drawn if nothing was seen. */
  readonly gap: Millis;
}

interface LatencyChart {
  readonly span: TimeSpan;
  readonly marks: readonly ChartMark[];
  /** Stretches in which a check failed: crosses on the ground. */
  readonly failures: readonly EpochMillis[];
  readonly curves: readonly LatencyCurve[];
  readonly points: readonly LatencyPoint[];
  /** Null of every kind but a ping. */
  readonly echoes: EchoBand | null;
  /** Above it a check is degraded; null if the monitor has none. */
  readonly threshold: Millis | null;
  /** The same in words, for those who do not see it. */
  readonly words: string;
  readonly axis: AxisWords;
}

/** How days and latencies are written next to a chart. */
interface AxisWords {
  readonly day: (instant: EpochMillis) => string;
  readonly latency: (duration: Millis) => string;
  /** Stands in a chart without a value, so that no axis has invented ones; null: only the frame is drawn. */
  readonly nothing: string | null;
}

export const englishAxis: AxisWords = {
  day: monthDay,
  latency: limitWords,
  nothing: "No check passed in this range",
};

const top = 14;
const height = 130;

/** Latency over time: curves, single results with their error bars, failures as crosses on the ground, the threshold. */
export function latencyChart(chart: LatencyChart): Html {
  const { span, curves, points, threshold, words, axis, echoes, marks, failures } = chart;
  const highest = roundAbove(highestOf(chart));
  const isInside = threshold !== null && threshold <= highest;
  return html`<svg class="chart" height="${top + height + 20}" role="img" aria-label="${words}">
    ${markAreas(marks, span, top, height)}
    ${hasValue(chart) ? valueAxis(highest, top, height, axis.latency) : emptyFrame(axis.nothing)}
    ${timeAxis(span, top + height, axis.day, "UTC")}
    <svg
      y="${top}"
      width="100%"
      height="${height}"
      viewBox="0 0 1000 ${height}"
      preserveAspectRatio="none"
    >
      ${echoes === null ? null : echoBand(echoes, span, highest, height)}
      ${curves.map((curve) => html`<path class="curve ${curve.name}" d="${linesOf(curve, span, highest)}" />`)}
    </svg>
    ${isInside ? thresholdLine(threshold, highest) : null} ${failures.map((at) => cross(at, span))}
    ${points.map((point) => pointMark(point, span, highest))}
  </svg>`;
}

/** Whether anything has a latency: a failed check has none. */
const hasValue = ({ curves, points, echoes }: LatencyChart): boolean =>
  curves.some(({ values }) => values.length > 0) ||
  points.some(({ status }) => status !== "error") ||
  (echoes !== null && longestOf(echoes) > 0);

/** The top and the ground, between which nothing has a latency. */
const emptyFrame = (words: string | null): Html =>
  html`${[top, top + height].map((y) => html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}" />`)}${
    words === null
      ? null
      : html`<text x="50%" y="${top + height / 2}" text-anchor="middle">${words}</text>`
  }`;

/** A threshold far above everything would press the rest to the ground: the words name it. */
function highestOf({ curves, points, threshold, echoes }: LatencyChart): Millis {
  const seen = [
    ...(echoes === null ? [1] : [longestOf(echoes)]),
    ...curves.flatMap(({ values }) => values.map(({ latency }) => latency)),
    ...points.flatMap(({ status, latency, errorBar }) =>
      status === "error" ? [] : [latency + errorBar],
    ),
  ];
  const highest = seen.reduce((most, one) => Math.max(most, one), 0);
  return millis(
    threshold !== null && threshold <= highest * 4 ? Math.max(highest, threshold) : highest,
  );
}

/** A line for each stretch without a gap; a value that stands alone is a short dash. */
function linesOf({ values, gap }: LatencyCurve, span: TimeSpan, highest: Millis): string {
  return values
    .map(({ at, latency }, index) => {
      const x = percentOf(at, span) * 10;
      const y = heightOf(latency, highest, height);
      const before = values[index - 1];
      const next = values[index + 1];
      const begins = before === undefined || at - before.at > gap;
      const stands = begins && (next === undefined || next.at - at > gap);
      return stands ? `M${round(x - 2)} ${y}h4` : `${begins ? "M" : "L"}${round(x)} ${y}`;
    })
    .join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Its words are above the plot: next to the line they would lie on what is drawn. */
function thresholdLine(threshold: Millis, highest: Millis): Html {
  const y = top + heightOf(threshold, highest, height);
  return html`<line class="threshold" x1="0" x2="100%" y1="${y}" y2="${y}" /><text
      class="threshold"
      x="100%"
      y="${top - 4}"
      text-anchor="end"
      >dotted: degraded above ${setLimit(threshold)}</text
    >`;
}

const cross = (at: EpochMillis, span: TimeSpan): Html =>
  groundCross(percentOf(at, span), top + height);

function pointMark(point: LatencyPoint, span: TimeSpan, highest: Millis): Html {
  const { slot, status, latency, errorBar, uncertain, place = 0 } = point;
  const x = `${percentOf(slot, span)}%`;
  if (status === "error") return cross(slot, span);
  const y = (value: number): number => top + heightOf(millis(Math.max(0, value)), highest, height);
  const [low, high] = [y(latency - errorBar), y(latency + errorBar)];
  const bar =
    low - high < 2
      ? null
      : html`<line class="error-bar" x1="${x}" x2="${x}" y1="${high}" y2="${low}" />`;
  return html`${bar}<circle
      class="${status}${uncertain ? " uncertain" : ""}${place === 0 ? "" : ` place-${place}`}"
      cx="${x}"
      cy="${y(latency)}"
      r="${status === "degraded" ? 3.5 : 2.5}"
    />`;
}
