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
  readonly status: "success" | "degraded" | "error";
  readonly latency_ms: number;
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
  readonly threshold_ms: number | null;
  readonly series: readonly { readonly name: string; readonly steps: readonly ChartStep[] }[];
  /** Single results, of a short range; else none. */
  readonly points: readonly ChartPoint[];
  readonly echoes: readonly ChartEchoes[];
  readonly phases: readonly ChartPhases[] | null;
  readonly marks: readonly ChartMark[];
}

interface ChartPhases {
  readonly at: string;
  readonly mean_ms: Readonly<Record<string, number>>;
}

/** Null if the service does not answer: what is shown stays. */
export async function readChart(address: string): Promise<Chart | null> {
  try {
    const answer = await fetch(address, { redirect: "error" });
    if (!answer.ok) return null;
    const chart: Chart = await answer.json();
    return chart;
  } catch {
    return null;
  }
}

/** A line of the plot by its values, one for each instant; null is a gap. */
export interface PlotLine {
  readonly words: string;
  readonly look: "line" | "dashes" | "dots" | "edge" | "other";
  readonly values: readonly (number | null)[];
}

/** All lines over the same instants, oldest first. */
export interface PlotColumns {
  readonly at: readonly number[];
  readonly lines: readonly PlotLine[];
  /** Instants at which something failed or was lost, in words. */
  readonly losses: ReadonlyMap<number, string>;
  /** What an instant's checks came to. */
  readonly counts: ReadonlyMap<number, string>;
}

export const instant = (text: string): number => Date.parse(text);

/** The lines of a chart: single results, or what each step adds up to. */
export function columnsOf(chart: Chart): PlotColumns {
  const [first, second] = chart.series;
  const steps = first?.steps ?? [];
  const isSingle = chart.points.length > 0;
  const at = instantsOf(
    [
      ...(isSingle ? chart.points : steps).map((one) => instant(one.at)),
      ...(second?.steps ?? []).map((one) => instant(one.at)),
    ],
    chart.step_ms,
  );
  const other: readonly PlotLine[] =
    second === undefined
      ? []
      : [lineOf(at, second.steps, "p50_ms", `${second.name}, median`, "other")];
  return {
    at,
    lines: [
      ...echoLines(at, chart),
      ...(isSingle ? [singleLine(at, chart.points)] : stepLines(at, chart)),
      ...other,
    ],
    losses: new Map([
      ...chart.echoes.flatMap(lostEchoes),
      ...(isSingle ? chart.points.flatMap(failedPoint) : steps.flatMap(failedStep)),
    ]),
    counts: new Map(isSingle ? [] : steps.map((step) => [instant(step.at), countsOf(step)])),
  };
}

/** Each instant once, and one without a value in each gap: nothing is drawn over it. */
function instantsOf(all: readonly number[], step: number): readonly number[] {
  const sorted = [...new Set(all)].toSorted((a, b) => a - b);
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next - one > step * 1.5 ? [one, one + step] : [one];
  });
}

function stepLines(at: readonly number[], chart: Chart): readonly PlotLine[] {
  const [first, second] = chart.series;
  const steps = first?.steps ?? [];
  const name = second === undefined ? "" : `${first?.name ?? ""}, `;
  const median = lineOf(at, steps, "p50_ms", `${name}median`, "line");
  return second === undefined ? [median, lineOf(at, steps, "p95_ms", "p95", "dashes")] : [median];
}

/** The upper and the lower edge of a band, of pings. */
function echoLines(at: readonly number[], { echoes }: Chart): readonly PlotLine[] {
  if (echoes.length === 0) return [];
  const edge = (words: string, of: "least_ms" | "most_ms"): PlotLine => {
    const known = new Map(echoes.map((one) => [instant(one.at), one[of]]));
    return { words, look: "edge", values: at.map((one) => known.get(one) ?? null) };
  };
  return [edge("longest", "most_ms"), edge("shortest", "least_ms")];
}

function lineOf(
  at: readonly number[],
  steps: readonly ChartStep[],
  field: "p50_ms" | "p95_ms",
  words: string,
  look: PlotLine["look"],
): PlotLine {
  const known = new Map(steps.map((step) => [instant(step.at), step[field]]));
  return { words, look, values: at.map((one) => known.get(one) ?? null) };
}

function singleLine(at: readonly number[], points: readonly ChartPoint[]): PlotLine {
  const known = new Map(
    points
      .filter(({ status }) => status !== "error")
      .map((point) => [instant(point.at), point.latency_ms]),
  );
  return { words: "latency", look: "dots", values: at.map((one) => known.get(one) ?? null) };
}

const failedPoint = ({ at, status }: ChartPoint): [number, string][] =>
  status === "error" ? [[instant(at), "failed"]] : [];

const failedStep = ({ at, failed }: ChartStep): [number, string][] =>
  failed === 0 ? [] : [[instant(at), `${failed} failed`]];

const lostEchoes = ({ at, lost }: ChartEchoes): [number, string][] =>
  lost === 0 ? [] : [[instant(at), `${Number((lost * 100).toPrecision(2))} % of echoes lost`]];

const countsOf = ({ passed, degraded, failed }: ChartStep): string =>
  [
    `${passed} passed`,
    ...(degraded === 0 ? [] : [`${degraded} degraded`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(", ");
