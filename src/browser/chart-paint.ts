import type uPlot from "uplot";
import { type Chart, instant, type PlotColumns } from "#browser/chart-columns";

/** A colour of the page's look, so that a plot follows the scheme. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const markColours = {
  error: "error",
  degraded: "degraded",
  planned: "link",
  gap: "quiet",
} as const;

/** Incidents, planned work and gaps as areas behind the curves. */
export function paintMarks(plot: uPlot, { marks }: Chart): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.globalAlpha = 0.18;
  for (const { kind, from, to } of marks) {
    const [left, right] = [place(plot, instant(from)), place(plot, instant(to))];
    ctx.fillStyle = colour(markColours[kind]);
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
  ctx.restore();
}

/** A cross on the ground for each failure or loss, and a line at the threshold. */
export function paintLosses(plot: uPlot, chart: Chart, { losses }: PlotColumns): void {
  paintCrosses(plot, losses.keys(), plot.bbox.top + plot.bbox.height - 8 * devicePixelRatio);
  paintThreshold(plot, chart);
}

/** The same of columns, above the middle of each: on the ground it would lie on the phases of the checks that passed. */
export function paintColumnLosses(plot: uPlot, step: number, { losses }: PlotColumns): void {
  const middles = [...losses.keys()].map((at) => at + step / 2);
  paintCrosses(plot, middles, plot.bbox.top - 8 * devicePixelRatio);
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
