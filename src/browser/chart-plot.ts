import { latencyShown } from "#browser/latency-shown";
import { readerZone } from "#browser/reader-zone";
import uPlot from "uplot";
import {
  type Chart,
  columnsOf,
  instant,
  type PlotColumns,
  type PlotLine,
} from "#browser/chart-columns";
import { hasValue, loneValues, timesHeight } from "#browser/plot-values";
import {
  colour,
  labelsIn,
  paintCuts,
  paintLabels,
  paintLosses,
  paintLossesAbove,
  paintMarks,
} from "#browser/chart-paint";
import { tick } from "#browser/chart-words";
import { roomOf } from "#browser/mark-labels";

/** Plots of one page move their cursor together. */
const together = "past";
const lowest = 220;
/** What its axes take of it. */
const valuesWidth = 64;
/** What they, and the room above, leave of the lowest chart. One that is resized keeps its scale. */
const lowestPlot = lowest - timesHeight - 17;

/** A finger leaves a plot each time it is lifted: what it pointed at stays. */
let byFinger = false;
for (const name of ["pointerdown", "pointermove"] as const)
  document.addEventListener(name, ({ pointerType }) => (byFinger = pointerType !== "mouse"), true);

/** What a plot says of where a person is in it. */
export interface PlotEvents {
  /** The cursor is at this instant of the columns; null: it left. */
  readonly pointed: (index: number | null) => void;
  /** A range was dragged, in epoch milliseconds. */
  readonly dragged: (from: number, to: number) => void;
}

/** A chart is as high as its box, which fills the card of a monitor with little to say. */
export const heightOf = (box: HTMLElement): number =>
  box.dataset["chart"] === undefined ? lowest : Math.max(lowest, box.clientHeight);

/** Latency over time. */
export function latencyPlot(box: HTMLElement, chart: Chart, events: PlotEvents): uPlot {
  const columns = columnsOf(chart);
  const hasScale = hasValue(columns.lines);
  const options: uPlot.Options = {
    ...frameOf(box, chart, { top: null, hasScale }),
    series: [{}, ...columns.lines.map((line) => seriesOf(line, columns))],
    bands: bandsOf(columns.lines),
    hooks: {
      drawClear: [(plot) => paintMarks(plot, chart)],
      draw: [
        (plot) => paintLosses(plot, hasScale ? chart : withoutThreshold(chart), columns),
        (plot) => paintLabels(plot, chart),
      ],
      ...hooksOf(events),
    },
  };
  return new uPlot(options, dataOf(columns), box);
}

/** Between the shortest and the longest round trip of pings, and between the median and p95. */
function bandsOf(lines: readonly PlotLine[]): uPlot.Band[] {
  const at = (look: PlotLine["look"]): number => lines.findIndex((line) => line.look === look) + 1;
  const edge = at("edge");
  const [median, upper] = [at("line"), at("upper")];
  return [
    ...(edge === 0 ? [] : [bandOf(edge, edge + 1, 25)]),
    ...(median === 0 || upper === 0 ? [] : [bandOf(upper, median, 12)]),
  ];
}

const bandOf = (upper: number, lower: number, percent: number): uPlot.Band => ({
  series: [upper, lower],
  fill: transparent(colour("bar"), percent),
});

/** Where the time went: each phase above those before it. */
export function phasePlot(box: HTMLElement, chart: Chart, events: PlotEvents): uPlot | null {
  const phases = chart.phases ?? [];
  const names = Object.keys(phases[0]?.mean_ms ?? {}).filter((name) =>
    phases.some(({ mean_ms: mean }) => (mean[name] ?? 0) > 0),
  );
  if (names.length === 0) return null;
  const columns = columnsOf({ ...ownOf(chart), points: [] });
  const { at } = columns;
  const lines = stackedLines(at, phases, names);
  const totals = lines[0]?.[1] ?? [];
  const top = chart.phases_cut_at_ms;
  const cut = top === null ? [] : at.filter((_, index) => (totals[index] ?? 0) > top);
  // A column ends where the next instant begins, and the newest one at the end of the plot.
  const extend = (totals.at(-1) ?? null) !== null;
  const stepped = uPlot.paths.stepped?.({ align: 1, alignGaps: 1, extend });
  const options: uPlot.Options = {
    // The latency chart above has the names of the marks: here they need no room.
    ...frameOf(box, { ...chart, marks: [] }, { top, hasScale: true }),
    series: [
      {},
      ...lines.map(([name]): uPlot.Series => ({
        label: name,
        fill: colour(name),
        width: 0,
        points: { show: false },
        ...(stepped === undefined ? {} : { paths: stepped }),
      })),
    ],
    hooks: {
      drawClear: [(plot) => paintMarks(plot, chart)],
      draw: [
        (plot) => paintCuts(plot, cut, chart.step_ms),
        (plot) => paintLossesAbove(plot, columnsOf(ownOf(chart))),
      ],
      ...hooksOf(events),
    },
  };
  return new uPlot(options, [[...at], ...lines.map(([, values]) => closed(values))], box);
}

/** With the end of the last column, which would have no width if nothing passed after it. */
function closed(values: readonly (number | null)[]): (number | null)[] {
  const last = values.findLastIndex((one) => one !== null);
  return values.map((one, index) => (index === last + 1 ? (values[last] ?? null) : one));
}

/** Without the location or the time that it is compared with, whose phases are not shown. */
function ownOf(chart: Chart): Chart {
  const { series, points } = chart;
  const [own, other] = series;
  if (own === undefined || other === undefined) return { ...chart, earlier: null };
  const ownPoints = points.filter(({ location }) => location === own.location);
  return { ...chart, series: [own], points: ownPoints };
}

/** Each phase with all that are below it, the highest first, so that those below are painted over it. */
function stackedLines(
  at: readonly number[],
  phases: NonNullable<Chart["phases"]>,
  names: readonly string[],
): readonly [name: string, values: (number | null)[]][] {
  const known = new Map(phases.map((one) => [instant(one.at), one.mean_ms]));
  return names
    .toReversed()
    .map((name): [string, (number | null)[]] => [
      name,
      at.map((one) => sumUpTo(known.get(one), names, name)),
    ]);
}

function sumUpTo(
  means: Readonly<Record<string, number>> | undefined,
  names: readonly string[],
  last: string,
): number | null {
  if (means === undefined) return null;
  return names.slice(0, names.indexOf(last) + 1).reduce((sum, name) => sum + (means[name] ?? 0), 0);
}

const dataOf = ({ at, lines }: PlotColumns): uPlot.AlignedData => [
  [...at],
  ...lines.map(({ values }) => [...values]),
];

const withoutThreshold = (chart: Chart): Chart => ({ ...chart, threshold_ms: null });

interface ValueScale {
  /** What is above it is cut; null shows all. */
  readonly top: number | null;
  /** Whether there is a value: without one, the axis has no figures. */
  readonly hasScale: boolean;
}

function frameOf(
  box: HTMLElement,
  chart: Chart,
  { top, hasScale }: ValueScale,
): Omit<uPlot.Options, "series" | "hooks"> {
  const [from, to] = [instant(chart.from), instant(chart.to)];
  const axis: uPlot.Axis = {
    stroke: colour("quiet"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  return {
    width: box.clientWidth,
    height: heightOf(box),
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), readerZone),
    legend: { show: false },
    cursor: {
      sync: { key: together, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      y: false,
      bind: { mouseleave: (_plot, _over, leave) => (event) => (byFinger ? null : leave(event)) },
    },
    scales: {
      x: { range: [from, to] },
      y: { range: (plot, _low, high) => [0, top ?? highestOf(plot, chart, high ?? 1)] },
    },
    axes: [
      timesOf(axis),
      {
        ...axis,
        size: valuesWidth,
        values: (_plot, values) => values.map((value) => (hasScale ? latencyShown(value) : "")),
      },
    ],
  };
}

/** The top of a scale that leaves room above its highest value, also for the names of marks. */
function highestOf(plot: uPlot, chart: Chart, highest: number): number {
  // Within one network a ping takes a part of a millisecond.
  const finest = chart.echoes.length > 0 ? 0.001 : 1;
  const labels = labelsIn(plot, chart, plot.width - valuesWidth);
  return Math.max(finest, highest / Math.min(0.9, 1 - roomOf(labels) / lowestPlot));
}

/** The times below a plot. */
const timesOf = (axis: uPlot.Axis): uPlot.Axis => ({
  ...axis,
  size: timesHeight,
  space: (_plot, _axis, from, to, width) => roomOfTick((to - from) / width),
  values: (_plot, ticks, _axis, _space, step) => ticks.map((at) => tick(at, step)),
});

/** How far apart times are, in pixels, of a plot on which a pixel is so many milliseconds. Those with seconds are wider. */
const roomOfTick = (pixelMs: number): number => (80 * pixelMs < 60_000 ? 80 : 56);

function hooksOf({ pointed, dragged }: PlotEvents): uPlot.Hooks.Arrays {
  return {
    setCursor: [({ cursor }) => pointed(cursor.idx ?? null)],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select;
        if (width < 8) return;
        dragged(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
      },
    ],
  };
}

function seriesOf(
  { words, look, tint, values }: PlotLine,
  { at, lines }: PlotColumns,
): uPlot.Series {
  const stroke = colour(tint);
  const lone = loneValues(values);
  const line: uPlot.Series = {
    label: words,
    stroke,
    width: 1.5,
    points: { show: false, size: 5, fill: stroke, filter: () => lone },
  };
  switch (look) {
    case "line":
      return { ...line, width: 2, fill: (plot) => fading(plot, stroke) };
    case "other":
      return line;
    case "earlier":
      return { ...line, dash: [4, 3] };
    case "upper":
      return { ...line, stroke: transparent(stroke, 55), width: 1 };
    case "dots":
      return {
        ...line,
        ...(lines.length > 1 ? {} : { fill: (plot: uPlot) => fading(plot, stroke) }),
        points: { show: true, size: at.length > 60 ? 4 : 6, fill: stroke },
      };
    case "edge":
      return { ...line, width: 0 };
  }
}

/** The area below a line, which fades to the ground. */
function fading({ ctx, bbox }: uPlot, stroke: string): CanvasGradient {
  const area = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
  // A canvas knows no mix of colours with a variable, but one of plain colours.
  area.addColorStop(0, transparent(stroke, 30));
  area.addColorStop(1, transparent(stroke, 2));
  return area;
}

const transparent = (solid: string, percent: number): string =>
  `color-mix(in srgb, ${solid} ${percent}%, transparent)`;
