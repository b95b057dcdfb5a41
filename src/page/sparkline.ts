import { html, type Html } from "#page/html";
import { wholeMillis } from "#page/format";
import * as limits from "#limits";
import { type Millis, millis } from "#units";
import type { ResultStatus } from "#check/verdict";

/** One result in a row of them. */
export interface ResultPoint {
  readonly status: ResultStatus;
  readonly latency: Millis;
}

const step = 7;
const barWidth = 5;
const height = 28;
const width = step * limits.monitorHistoryMax - (step - barWidth);

/**
 * The newest latencies as bars, the newest at the right. A failed check is a cross instead, a degraded one wears a dot,
 * so that colour is not needed to tell them apart; the same is said in words to those who do not see it.
 */
export function sparkline(points: readonly ResultPoint[]): Html {
  const highest = Math.max(
    1,
    ...points.map(({ status, latency }) => (status === "error" ? 0 : latency)),
  );
  const first = limits.monitorHistoryMax - points.length;
  const drawn = points.map((point, index) => drawnPoint(point, (first + index) * step, highest));
  return html`<svg
    class="sparkline"
    viewBox="-1 0 ${width + 2} ${height}"
    width="${width + 2}"
    height="${height}"
    role="img"
    aria-label="${inWords(points)}"
  >
    <path class="ground" d="M0 ${height - 0.5}H${width}" />
    ${drawn}
  </svg>`;
}

/** Room for a degraded bar's dot above it. */
const headroom = 6;

function drawnPoint({ status, latency }: ResultPoint, x: number, highest: number): Html {
  if (status === "error") {
    const middle = x + barWidth / 2;
    const y = height - 8;
    return html`<path class="error" d="M${middle - 2} ${y - 2}l4 4M${middle + 2} ${y - 2}l-4 4" />`;
  }
  const tall = Math.max(2, Math.round((latency / highest) * (height - headroom)));
  const bar = html`<rect
    class="${status}"
    x="${x}"
    y="${height - tall}"
    width="${barWidth}"
    height="${tall}"
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

/** `last 20 checks: 8 ms to 31 ms, 2 failed`. */
export function inWords(points: readonly ResultPoint[]): string {
  if (points.length === 0) return "no check yet";
  const passed = points.filter(({ status }) => status !== "error").map(({ latency }) => latency);
  const failed = points.length - passed.length;
  const degraded = points.filter(({ status }) => status === "degraded").length;
  const range =
    passed.length === 0
      ? []
      : [
          `${wholeMillis(millis(Math.min(...passed)))} to ${wholeMillis(millis(Math.max(...passed)))}`,
        ];
  const parts = [
    ...range,
    ...(degraded === 0 ? [] : [`${degraded} degraded`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  const what = points.length === 1 ? "the only check so far" : `last ${points.length} checks`;
  return `${what}: ${parts.join(", ")}`;
}
