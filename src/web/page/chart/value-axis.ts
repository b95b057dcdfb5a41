import { html, type Html } from "#web/page/html";
import { limitWords } from "#web/page/format";
import { type Millis, millis } from "#base/units";

/** The next round latency (1, 2 or 5 of a power of ten) that nothing in a chart exceeds. */
export function roundAbove(highest: Millis): Millis {
  const size = 10 ** Math.floor(Math.log10(Math.max(leastShown, highest)));
  const factor = [1, 2, 5, 10].find((one) => one * size >= highest) ?? 10;
  return millis(factor * size);
}

/** Milliseconds: the microsecond, which is the finest that is kept. */
const leastShown = 0.001;

/** Where a latency lies above the ground of a plot: 0 at the top, `height` at zero. */
export const heightOf = (latency: Millis, highest: Millis, height: number): number =>
  Math.round((1 - Math.min(1, latency / highest)) * height * 10) / 10;

/**
 * A line at the top, in the middle and on the ground, with the latency that each stands for. A phone leaves out the words
 * of the middle, which would lie on the curve: those of the top are above everything.
 */
export const valueAxis = (
  highest: Millis,
  top: number,
  height: number,
  named: (latency: Millis) => string = limitWords,
): Html =>
  html`${[1, 0.5, 0].map((share) => {
    const y = top + heightOf(millis(highest * share), highest, height);
    return html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}" /><text
        ${share === 0.5 ? html` class="between"` : null}
        x="0"
        y="${y - 3}"
        >${share === 0 ? null : named(millis(highest * share))}</text
      >`;
  })}`;
