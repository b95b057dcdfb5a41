import { html, type Html } from "#web/page/html";
import { latencyWords, lengthOf, monthDay, timeOfDay } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { between, type EpochMillis, hours, type Millis, millis } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/** One result in a row of them. */
export interface ResultPoint {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  readonly latency: Millis;
  /** Whether the probe was too busy for the latency to be believed. */
  readonly uncertain: boolean;
}

const step = 7;
const barWidth = 5;
const height = 28;
const width = step * limits.monitorHistoryMax - (step - barWidth);

/**
 * The newest latencies as bars, the newest at the right. A failed check is a cross instead, a degraded one wears a dot,
 * an uncertain one is hollow, so that colour is not needed to tell them apart. A dashed line stands where slots passed
 * without a check. The same is said in words to those who do not see it.
 */
export function sparkline(points: readonly ResultPoint[]): Html {
  const highest = Math.max(
    1,
    ...points.map(({ status, latency }) => (status === "error" ? 0 : latency)),
  );
  const first = limits.monitorHistoryMax - points.length;
  const drawn = points.map((point, index) => drawnPoint(point, (first + index) * step, highest));
  const gaps = gapsIn(points).map(
    ({ before }) => html`<path class="gap" d="M${(first + before) * step - 1} 0V${height}" />`,
  );
  return html`<svg
    class="sparkline"
    viewBox="-1 0 ${width + 2} ${height}"
    width="${width + 2}"
    height="${height}"
    role="img"
    aria-label="${inWords(points)}"
  >
    <path class="ground" d="M0 ${height - 0.5}H${width}" />
    ${drawn}${gaps}
  </svg>`;
}

/** When the oldest and the newest of them were due, to stand below a sparkline. */
export function sparklineAxis(points: readonly ResultPoint[]): Html | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const isLong = between(first.slot, last.slot) > hours(24);
  const [begin, end] = [first, last].map(({ slot }) =>
    isLong ? monthDay(slot) : timeOfDay(slot).slice(0, 5),
  );
  return html`<span class="axis" aria-hidden="true"
    ><span>${begin ?? ""}</span><span>${end ?? ""}</span></span
  >`;
}

/** Room for a degraded bar's dot above it. */
const headroom = 6;

function drawnPoint({ status, latency, uncertain }: ResultPoint, x: number, highest: number): Html {
  if (status === "error") {
    const middle = x + barWidth / 2;
    const y = height - 8;
    return html`<path class="error" d="M${middle - 2} ${y - 2}l4 4M${middle + 2} ${y - 2}l-4 4" />`;
  }
  const tall = Math.max(2, Math.round((latency / highest) * (height - headroom)));
  const inset = uncertain ? 0.5 : 0;
  const bar = html`<rect
    class="${status}${uncertain ? " uncertain" : ""}"
    x="${x + inset}"
    y="${height - tall + inset}"
    width="${barWidth - 2 * inset}"
    height="${tall - 2 * inset}"
  />`;
  return status === "success"
    ? bar
    : html`${bar}<circle
          class="degraded"
          cx="${x + barWidth / 2}"
          cy="${height - tall - 3.5}"
          r="2"
        />`;
}

/** A stretch of time without a check, as long as two of the usual distances or more, and the point that ends it. */
export interface Gap {
  readonly before: number;
  readonly length: Millis;
}

function gapsIn(points: readonly Pick<ResultPoint, "slot">[]): readonly Gap[] {
  const distances = points.slice(1).map(({ slot }, index) => slot - (points[index]?.slot ?? slot));
  const usual = distances.toSorted((a, b) => a - b)[Math.floor((distances.length - 1) / 2)] ?? 0;
  return distances.flatMap((distance, index) =>
    distances.length > 1 && distance > usual * 2.5
      ? [{ before: index + 1, length: millis(distance) }]
      : [],
  );
}

/** `last 20 checks over 9 min: 8 ms to 31 ms, 2 failed`. */
export function inWords(points: readonly ResultPoint[]): string {
  const [first, newest] = [points[0], points.at(-1)];
  if (first === undefined || newest === undefined) return "no check yet";
  const passed = points.filter(({ status }) => status !== "error").map(({ latency }) => latency);
  const lowest = latencyWords(millis(Math.min(...passed)));
  const highest = latencyWords(millis(Math.max(...passed)));
  const some = (count: number, word: string): readonly string[] =>
    count === 0 ? [] : [`${count} ${word}`];
  const parts = [
    ...(passed.length === 0 ? [] : [lowest === highest ? lowest : `${lowest} to ${highest}`]),
    ...some(points.filter(({ status }) => status === "degraded").length, "degraded"),
    ...some(points.length - passed.length, "failed"),
    ...some(points.filter(({ uncertain }) => uncertain).length, "with uncertain times"),
    ...gapsIn(points).map(({ length }) => `${lengthOf(length)} without a check`),
  ];
  const over = lengthOf(between(first.slot, newest.slot));
  const what =
    points.length === 1 ? "the only check so far" : `last ${points.length} checks over ${over}`;
  return `${what}: ${parts.join(", ")}`;
}
