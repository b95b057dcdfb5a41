/* What `chart.json` of a monitor says, and the same in the columns that a plot takes. */

interface ChartStep {
  readonly at: string;
  readonly passed: number;
  readonly degraded: number;
  readonly failed: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** What pings at one instant, or in one step, came to. */
interface ChartEchoes {
  readonly at: string;
  /** The shortest and the longest round trip; null if no reply came. */
  readonly least_ms: number | null;
  readonly most_ms: number | null;
  /** The share without a reply: 0 to 1. */
  readonly lost: number;
}

interface ChartPoint {
  readonly at: string;
  readonly location: string;
  readonly status: "success" | "degraded" | "error";
  readonly latency_ms: number;
  readonly failure: { readonly words: string } | null;
}

export interface ChartMark {
  readonly kind: "error" | "degraded" | "planned" | "gap";
  readonly from: string;
  readonly to: string;
  readonly words: string;
}

export interface Chart {
  readonly from: string;
  readonly to: string;
  readonly step_ms: number;
  readonly period_ms: number;
  readonly threshold_ms: number | null;
  readonly series: readonly ChartSeries[];
  /** An earlier time that it is compared with, at the times of the chart. */
  readonly earlier: Omit<ChartSeries, "location"> | null;
  /** Each of several locations, of a chart of all of them; its steps are empty if there are single results. */
  readonly locations: readonly ChartLocation[];
  /** Single results, of a short range; else none. */
  readonly points: readonly ChartPoint[];
  readonly echoes: readonly ChartEchoes[];
  readonly phases: readonly ChartPhases[] | null;
  /** What is above it is cut; null: nothing is. */
  readonly phases_cut_at_ms: number | null;
  readonly marks: readonly ChartMark[];
}

/** Of the location that is shown, and of the one that it is compared with. */
interface ChartSeries {
  readonly location: string | null;
  readonly name: string;
  readonly steps: readonly ChartStep[];
}

interface ChartLocation {
  readonly location: string;
  readonly name: string;
  readonly steps: readonly ChartStep[];
}

interface ChartPhases {
  readonly at: string;
  readonly mean_ms: Readonly<Record<string, number>>;
}

/** A line of the plot by its values, one for each instant: null is a gap, undefined an instant of another line. */
export interface PlotLine {
  readonly words: string;
  readonly look: "line" | "upper" | "dots" | "edge" | "other" | "earlier";
  /** The name of its colour. */
  readonly tint: string;
  readonly values: readonly (number | null | undefined)[];
}

/** All lines over the same instants, oldest first. */
export interface PlotColumns {
  readonly at: readonly number[];
  readonly lines: readonly PlotLine[];
  /** Instants at which something failed or was lost, in words. */
  readonly losses: ReadonlyMap<number, string>;
  /** What an instant's checks came to. */
  readonly counts: ReadonlyMap<number, string>;
  /** How long an instant stands for: 0 if it is a single check. */
  readonly length: number;
}

export const instant = (text: string): number => Date.parse(text);

/** The lines of a chart: single results, or what each step adds up to; of the second location, too, if two are compared. */
export function columnsOf(chart: Chart): PlotColumns {
  const isSingle = chart.points.length > 0;
  const steps = chart.series.flatMap((one) => one.steps);
  const earlier = chart.earlier?.steps ?? [];
  const at = instantsOf(
    [...(isSingle ? chart.points : steps), ...earlier].map((one) => instant(one.at)),
    Math.max(chart.step_ms, chart.period_ms),
  );
  return {
    at,
    lines: [
      ...echoLines(at, chart),
      ...(isSingle ? singleLines(at, chart) : stepLines(at, chart)),
      ...earlierLine(at, chart),
    ],
    losses: new Map([
      ...chart.echoes.flatMap(lostEchoes),
      ...(isSingle ? failedPoints(chart) : stepWords(chart, failedStep)),
    ]),
    counts: new Map(isSingle ? [] : stepWords(chart, countsOf)),
    length: isSingle ? 0 : chart.step_ms,
  };
}

/** What each step came to, by location if two are compared; nothing of one without words. */
function stepWords(
  { series }: Chart,
  wordsOf: (step: ChartStep) => string,
): readonly [number, string][] {
  const all = series.flatMap(({ name, steps }) =>
    steps.flatMap((step) => {
      const words = wordsOf(step);
      const place = series.length > 1 ? `${name}: ` : "";
      return words === "" ? [] : [{ at: instant(step.at), words: `${place}${words}` }];
    }),
  );
  const sorted = all.toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(sorted, ({ at }) => at)].map(([at, own]) => [
    at,
    own.map(({ words }) => words).join("; "),
  ]);
}

/** Each instant once, and one without a value in each gap: nothing is drawn over it. */
function instantsOf(all: readonly number[], spacing: number): readonly number[] {
  const sorted = [...new Set(all)].toSorted((a, b) => a - b);
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next - one > spacing * 1.5 ? [one, one + spacing] : [one];
  });
}

function stepLines(at: readonly number[], chart: Chart): readonly PlotLine[] {
  const [first, second] = chart.series;
  const steps = first?.steps ?? [];
  const named = second === undefined ? "Median" : `${first?.name ?? ""}, median`;
  const median = lineOf(at, chart, { steps, field: "p50_ms", words: named, look: "line" });
  if (second !== undefined) {
    const words = `${second.name}, median`;
    return [median, lineOf(at, chart, { ...second, field: "p50_ms", words, look: "other" })];
  }
  return chart.earlier === null
    ? [median, lineOf(at, chart, { steps, field: "p95_ms", words: "p95", look: "upper" })]
    : [median];
}

/** The medians of an earlier time, also where the others are single results. */
function earlierLine(at: readonly number[], chart: Chart): readonly PlotLine[] {
  if (chart.earlier === null) return [];
  const { name, steps } = chart.earlier;
  const words = `Median, ${name}`;
  return [lineOf(at, chart, { steps, field: "p50_ms", words, look: "earlier" })];
}

/** The upper and the lower edge of a band, of pings. */
function echoLines(at: readonly number[], { echoes }: Chart): readonly PlotLine[] {
  if (echoes.length === 0) return [];
  const edge = (words: string, of: "least_ms" | "most_ms"): PlotLine => {
    const known = new Map(echoes.map((one) => [instant(one.at), one[of]]));
    return { words, look: "edge", tint: "bar", values: at.map((one) => known.get(one) ?? null) };
  };
  return [edge("Longest", "most_ms"), edge("Shortest", "least_ms")];
}

function lineOf(
  at: readonly number[],
  chart: Chart,
  { steps, field, words, look }: StepLine,
): PlotLine {
  const points = steps.map((step) => {
    const value = step[field];
    const status: ChartPoint["status"] = value === null ? "error" : "success";
    return { at: step.at, status, latency_ms: value ?? 0 };
  });
  const tint = tintOf[look] ?? "bar";
  return { words, look, tint, values: singleValues(at, points, gapOf(chart)) };
}

const tintOf: { readonly [L in PlotLine["look"]]?: string } = { other: "other", earlier: "quiet" };

interface StepLine extends Pick<PlotLine, "words" | "look"> {
  readonly steps: readonly ChartStep[];
  readonly field: "p50_ms" | "p95_ms";
}

/** What is further apart is not joined. */
const gapOf = ({ step_ms: step, period_ms: period }: Chart): number => 1.5 * Math.max(step, period);

/** The colours of the first locations, as the key of the page has them. */
export const tints = ["bar", "other", "tls", "write"] as const;

/** One line, or one of each location: checks of several lie between each other. */
function singleLines(at: readonly number[], chart: Chart): readonly PlotLine[] {
  const { points, locations } = chart;
  const gap = gapOf(chart);
  const lineOfPoints = (own: readonly ChartPoint[], words: string, tint: string): PlotLine => {
    return { words, look: "dots", tint, values: singleValues(at, own, gap) };
  };
  if (locations.length === 0) return [lineOfPoints(points, "Latency", tints[0])];
  return locations.flatMap(({ location, name }, index) => {
    const own = points.filter((point) => point.location === location);
    return own.length === 0 ? [] : [lineOfPoints(own, name, tints[index] ?? tints[0])];
  });
}

/** An instant of another location is passed over, unless so much time is between those of this one that it is a gap. */
function singleValues(
  at: readonly number[],
  points: readonly Pick<ChartPoint, "at" | "status" | "latency_ms">[],
  gap: number,
): PlotLine["values"] {
  const known = new Map(
    points.map((point) => [instant(point.at), point.status === "error" ? null : point.latency_ms]),
  );
  const own = [...known.keys()].toSorted((a, b) => a - b);
  let next = 0;
  return at.map((one) => {
    while ((own[next] ?? Infinity) < one) next += 1;
    const value = known.get(one);
    if (value !== undefined) return value;
    const [before, after] = [own[next - 1] ?? -Infinity, own[next] ?? Infinity];
    return after - before > gap ? null : undefined;
  });
}

/** `failed: DNS timeout`, and at which locations if there are several. */
function failedPoints({ points, locations }: Chart): [number, string][] {
  const nameOf = (point: ChartPoint): string =>
    locations.find(({ location }) => location === point.location)?.name ?? "";
  const failed = points.filter(({ status }) => status === "error");
  return [...Map.groupBy(failed, (point) => instant(point.at))].map(([at, all]) => {
    const causes = [...Map.groupBy(all, ({ failure }) => failure?.words ?? "")];
    const words = causes.map(([cause, alike]) => {
      const names = alike.map(nameOf).filter((name) => name !== "");
      return [names.join(", "), cause].filter((one) => one !== "").join(": ");
    });
    const where = locations.length === 0 ? ": " : " at ";
    return [at, `failed${words.join("") === "" ? "" : where}${words.join("; ")}`];
  });
}

const failedStep = ({ failed }: ChartStep): string => (failed === 0 ? "" : `${failed} failed`);

const lostEchoes = ({ at, lost }: ChartEchoes): [number, string][] =>
  lost === 0 ? [] : [[instant(at), `${Number((lost * 100).toPrecision(2))} % of echoes lost`]];

const countsOf = ({ passed, degraded, failed }: ChartStep): string =>
  [
    `${passed} passed`,
    ...(degraded === 0 ? [] : [`${degraded} degraded`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(", ");
