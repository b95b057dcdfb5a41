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

/** Incidents, planned work and gaps as areas behind the curves, each with a strip at the top and, where it has room, its name. */
export function paintMarks(plot: uPlot, { marks }: Chart): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `600 ${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  for (const { kind, from, to, words } of marks) {
    const [left, right] = [place(plot, instant(from)), place(plot, instant(to))];
    const width = Math.max(2, right - left);
    ctx.fillStyle = colour(markColours[kind]);
    ctx.globalAlpha = 0.13;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top, width, 3 * devicePixelRatio);
    if (ctx.measureText(words).width + 12 * devicePixelRatio < width)
      ctx.fillText(words, left + 6 * devicePixelRatio, bbox.top + 7 * devicePixelRatio);
  }
  ctx.restore();
}

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
