import type uPlot from "uplot";
import { type Chart, instant, type PlotColumns } from "#browser/chart-columns";
import { type MarkLabel, markLabels, rowHeight } from "#browser/mark-labels";

/** A colour of the page's look, so that a plot follows the scheme. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const markColours = {
  error: "error",
  degraded: "degraded",
  planned: "link",
  gap: "quiet",
} as const;

/** Incidents, planned work and gaps as areas behind the curves, each with a strip at the top. */
export function paintMarks(plot: uPlot, { marks }: Chart): void {
  const { ctx, bbox } = plot;
  ctx.save();
  for (const { kind, from, to } of marks) {
    const [left, right] = [place(plot, instant(from)), place(plot, instant(to))];
    const width = Math.max(2, right - left);
    ctx.fillStyle = colour(markColours[kind]);
    ctx.globalAlpha = 0.13;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top, width, 3 * devicePixelRatio);
  }
  ctx.restore();
}

/** The names of those that have room, above the lines of the plot: each has an edge that sets it apart from what it lies on. */
export function paintLabels(plot: uPlot, chart: Chart): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = labelFont(devicePixelRatio);
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.strokeStyle = colour("raised");
  for (const { kind, words, left, row } of labelsIn(plot, chart, bbox.width / devicePixelRatio)) {
    ctx.fillStyle = colour(markColours[kind]);
    const x = bbox.left + left * devicePixelRatio;
    const y = bbox.top + (6 + row * rowHeight) * devicePixelRatio;
    ctx.strokeText(words, x, y);
    ctx.fillText(words, x, y);
  }
  ctx.restore();
}

/** The names of marks in a plot that is so many pixels of a page wide. */
export function labelsIn(
  { ctx }: Pick<uPlot, "ctx">,
  { from, to, marks }: Chart,
  width: number,
): readonly MarkLabel[] {
  ctx.save();
  ctx.font = labelFont(1);
  const span = { from: instant(from), to: instant(to) };
  const widthOf = (words: string): number => ctx.measureText(words).width;
  const labels = markLabels(marks, { ...span, width, widthOf });
  ctx.restore();
  return labels;
}

const labelFont = (scale: number): string => `600 ${11 * scale}px system-ui, sans-serif`;

/** A cross on the ground for each failure or loss, and a line at the threshold. */
export function paintLosses(plot: uPlot, chart: Chart, columns: PlotColumns): void {
  const ground = plot.bbox.top + plot.bbox.height - 8 * devicePixelRatio;
  paintCrosses(plot, middlesOf(plot, columns), ground);
  paintThreshold(plot, chart);
}

/** The same above a plot of phases: on the ground they would lie on those of the checks that passed. */
export const paintLossesAbove = (plot: uPlot, columns: PlotColumns): void =>
  paintCrosses(plot, middlesOf(plot, columns), plot.bbox.top - 8 * devicePixelRatio);

/** A single check is at its instant; of a step it is the middle of what is shown. The newest step has only begun. */
function middlesOf(plot: uPlot, { losses, length }: PlotColumns): readonly number[] {
  const { min = -Infinity, max = Infinity } = plot.scales["x"] ?? {};
  return [...losses.keys()].map((at) =>
    length === 0 ? at : (Math.max(at, min) + Math.min(at + length, max)) / 2,
  );
}

function paintCrosses(plot: uPlot, instants: Iterable<number>, ground: number): void {
  const { ctx } = plot;
  const size = 4 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour("error");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  for (const at of instants) {
    const x = place(plot, at);
    ctx.moveTo(x - size, ground - size);
    ctx.lineTo(x + size, ground + size);
    ctx.moveTo(x + size, ground - size);
    ctx.lineTo(x - size, ground + size);
  }
  ctx.stroke();
  ctx.restore();
}

/** A gap near the top of each column that is higher than the plot. */
export function paintCuts(plot: uPlot, cut: readonly number[], step: number): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colour("raised");
  for (const at of cut) {
    const [left, right] = [place(plot, at), place(plot, at + step)];
    ctx.fillRect(left, bbox.top + 7 * devicePixelRatio, right - left, 3 * devicePixelRatio);
  }
  ctx.restore();
}

function paintThreshold(plot: uPlot, { threshold_ms: threshold }: Chart): void {
  const { ctx, bbox } = plot;
  const highest = plot.scales["y"]?.max ?? 0;
  if (threshold === null || threshold > highest) return;
  const y = plot.valToPos(threshold, "y", true);
  ctx.save();
  ctx.strokeStyle = colour("degraded");
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

/** Within the edges of the plot. */
function place(plot: uPlot, at: number): number {
  const { left, width } = plot.bbox;
  return Math.min(Math.max(plot.valToPos(at, "x", true), left), left + width);
}
