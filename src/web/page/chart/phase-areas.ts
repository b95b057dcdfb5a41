import { type PhaseName, phaseNames } from "#check/outcome";
import { groundCross } from "#web/page/chart/ground-cross";
import { middleOf, percentOf, timeAxis, type TimeSpan } from "#web/page/chart/time-axis";
import { heightOf, roundAbove, valueAxis } from "#web/page/chart/value-axis";
import { monthDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** The mean of each phase of the checks that passed in a stretch of time; one that did not happen takes no time. */
export interface PhaseMeans {
  readonly at: EpochMillis;
  readonly means: { readonly [P in PhaseName]: Millis };
  /** How many checks it is of, and how many failed and are not in it. */
  readonly passed: number;
  readonly failed: number;
}

interface PhaseAreas {
  readonly span: TimeSpan;
  readonly stretches: readonly PhaseMeans[];
  /** How long each of them is. */
  readonly length: Millis;
  /** Single checks that failed; without them, those of each stretch are one cross in its middle. */
  readonly failures?: readonly EpochMillis[];
  /** The same in words. */
  readonly words: string;
}

const top = 14;
const height = 130;

/**
 * Where the time went, over time: a column for each stretch, its phases one above the other in the order in which they
 * happen. If nothing was measured there is nothing.
 */
export function phaseAreas({ span, stretches, length, words, failures }: PhaseAreas): Html {
  const failed = stretches.flatMap((one) => (one.failed === 0 ? [] : [one.at]));
  const crosses = failures ?? failed.map((at) => middleOf(at, length, span));
  const highest = highestShown(stretches);
  const wide = percentOf(after(span.from, length), span) * 10;
  return html`<svg class="chart" height="${top + height + 20}" role="img" aria-label="${words}">
    ${valueAxis(highest, top, height)} ${timeAxis(span, top + height, monthDay, "UTC")}
    <svg
      y="${top}"
      width="100%"
      height="${height}"
      viewBox="0 0 1000 ${height}"
      preserveAspectRatio="none"
    >
      ${phaseNames.map((name, index) => {
        const columns = stretches.map(({ at, means }) => {
          const below = phaseNames.slice(0, index).reduce((sum, one) => sum + means[one], 0);
          const y = (sum: number): number => heightOf(millis(sum), highest, height);
          const [low, high] = [y(below), y(below + means[name])];
          const tall = Math.round((low - high) * 10) / 10;
          const x = Math.round(percentOf(at, span) * 10);
          const width = Math.max(1, Math.round(wide));
          return tall <= 0 ? "" : `M${x} ${low}h${width}v-${tall}h-${width}z`;
        });
        const path = columns.join("");
        return path === "" ? html`` : html`<path class="phase ${name}" d="${path}" />`;
      })}
      ${stretches
        .filter((one) => totalOf(one) > highest)
        .map(({ at }) => cutMark(percentOf(at, span) * 10, wide))}
    </svg>
    ${crosses.map((at) => groundCross(percentOf(at, span), top - 2))}
  </svg>`;
}

const totalOf = ({ means }: PhaseMeans): number =>
  phaseNames.reduce((sum, name) => sum + means[name], 0);

/**
 * A few checks that ran into a timeout would press all others to the ground: columns above four times the median check are
 * cut, unless more than one in ten is as high. Of very few columns none is: each of them may be what is usual.
 */
function highestShown(stretches: readonly PhaseMeans[]): Millis {
  const sorted = stretches
    .map((one) => ({ total: totalOf(one), passed: Math.max(1, one.passed) }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => a.total - b.total);
  const highest = sorted.at(-1)?.total ?? 0;
  if (sorted.length < fewColumns) return roundAbove(millis(highest));
  const rare = sorted[Math.floor((sorted.length - 1) * 0.9)]?.total ?? 0;
  return roundAbove(millis(Math.min(highest, Math.max(medianOf(sorted) * 4, rare))));
}

/** The column of the median check: some columns have one check and others hundreds. */
function medianOf(sorted: readonly { readonly total: number; readonly passed: number }[]): number {
  const all = sorted.reduce((sum, { passed }) => sum + passed, 0);
  let before = 0;
  const median = sorted.find(({ passed }) => {
    before += passed;
    return before * 2 > all;
  });
  return median?.total ?? 0;
}

/** Columns of which one can be called rare, and fewer that cannot. */
const fewColumns = 4;

/** A gap near the top of a column that is higher than the chart. */
const cutMark = (x: number, width: number): Html =>
  html`<rect
    class="cut"
    x="${Math.round(x)}"
    y="7"
    width="${Math.max(1, Math.round(width))}"
    height="3"
  />`;

/** Where columns are cut; null if none is. */
export function cutAbove(stretches: readonly PhaseMeans[]): Millis | null {
  return highestCut(stretches) === null ? null : highestShown(stretches);
}

/** How long the highest column takes, if the chart is too low for it; else null. */
export function highestCut(stretches: readonly PhaseMeans[]): Millis | null {
  const highest = Math.max(...stretches.map(totalOf));
  return highest > highestShown(stretches) ? millis(highest) : null;
}

/** What each colour stands for, with its mean over all that is shown and its share. */
export function phaseLegend(stretches: readonly PhaseMeans[]): readonly PhaseShare[] {
  const passed = stretches.reduce((sum, one) => sum + one.passed, 0);
  const shares = phaseNames.map((name) => ({
    name,
    mean: millis(
      stretches.reduce((sum, one) => sum + one.means[name] * one.passed, 0) / Math.max(1, passed),
    ),
  }));
  const total = shares.reduce((sum, { mean }) => sum + mean, 0);
  return shares
    .filter(({ mean }) => mean > 0)
    .map(({ name, mean }) => ({ name, mean, share: mean / total }));
}

interface PhaseShare {
  readonly name: PhaseName;
  readonly mean: Millis;
  /** Of the whole: 0 to 1. */
  readonly share: number;
}
