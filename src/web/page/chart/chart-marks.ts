import { percentOf, type TimeSpan } from "#web/page/chart/time-axis";
import { html, type Html } from "#web/page/html";
import { epochMillis, type EpochMillis } from "#base/units";

/** A time that a chart marks: an incident by how bad it was, planned work, or that nothing could be measured. */
export interface ChartMark extends TimeSpan {
  readonly kind: "error" | "degraded" | "planned" | "gap";
  readonly words: string;
  /** Where it leads; null if there is nothing. */
  readonly address: string | null;
}

/** Marks behind a plot, each with its words under the pointer; the shortest is still seen. */
export const markAreas = (
  marks: readonly ChartMark[],
  time: TimeSpan,
  top: number,
  height: number,
): Html =>
  html`${marks.map(({ kind, from, to, words }) => {
    const [left, right] = [percentOf(within(from, time), time), percentOf(within(to, time), time)];
    const width = Math.max(0.4, Math.round((right - left) * 100) / 100);
    const area = (look: string, tall: number): Html =>
      html`<rect class="${look} ${kind}" x="${left}%" width="${width}%" y="${top}" height="${tall}">
        <title>${words}</title>
      </rect>`;
    return html`${area("marked", height)}${area("strip", 3)}`;
  })}`;

const within = (at: EpochMillis, { from, to }: TimeSpan): EpochMillis =>
  epochMillis(Math.min(Math.max(at, from), to));
