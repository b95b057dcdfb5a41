import { latencyShown } from "#browser/latency-shown";
import { timesHeight } from "#browser/plot-values";
import { type Chart, instant, type PlotColumns } from "#browser/chart-columns";
import { colour } from "#browser/chart-paint";
import { phaseMeans, timeOf } from "#browser/chart-words";
import { marksAt } from "#browser/marked-instants";

/** What is said of an instant, beside the pointer. */
interface ReadoutRow {
  /** The name of the colour that it has in the chart; null if it has none. */
  readonly tint: string | null;
  readonly name: string;
  readonly value: string;
}

/** A card with the time, each value by its name, and what went on. */
export function fillReadout(
  card: HTMLElement,
  chart: Chart,
  columns: PlotColumns,
  index: number,
): void {
  const at = columns.at[index] ?? 0;
  const head = document.createElement("strong");
  head.textContent = timeOf(at, columns.length);
  const groups = [
    valueRows(columns, index),
    locationRows(chart, at),
    phaseRows(chart, at),
    countRows(columns, at),
    marksAt(chart, at, columns.length).map(({ kind, words }) => ({
      tint: markTints[kind],
      name: words,
      value: "",
    })),
  ];
  card.replaceChildren(head, ...groups.filter(({ length }) => length > 0).map(listOf));
}

const markTints = { error: "error", degraded: "degraded", planned: "link", gap: "quiet" } as const;

function valueRows({ lines, losses, at }: PlotColumns, index: number): readonly ReadoutRow[] {
  const rows = lines.flatMap(({ words, tint, values }) => {
    const value = values[index] ?? null;
    return value === null ? [] : [{ tint, name: words, value: latencyShown(value) }];
  });
  // What failed is said below the values.
  return rows.length > 0 || losses.has(at[index] ?? 0)
    ? rows
    : [{ tint: null, name: "No data", value: "" }];
}

/** The median of each location, below that of all. */
const locationRows = ({ locations }: Chart, at: number): readonly ReadoutRow[] =>
  locations.flatMap(({ name, steps }) => {
    const found = steps.find((step) => instant(step.at) === at);
    if (found === undefined) return [];
    const { p50_ms: median } = found;
    return [{ tint: null, name, value: median === null ? "none passed" : latencyShown(median) }];
  });

const phaseRows = (chart: Chart, at: number): readonly ReadoutRow[] =>
  phaseMeans(chart, at).map(({ name, words, mean }) => ({
    tint: name,
    name: words,
    value: latencyShown(mean),
  }));

function countRows({ counts, losses }: PlotColumns, at: number): readonly ReadoutRow[] {
  const [all = "", lost = ""] = [counts.get(at), losses.get(at)];
  const tint = losses.has(at) ? "error" : null;
  // The count of all has that of failures.
  return [all, all.includes(lost) ? "" : lost].flatMap((one) =>
    one === "" ? [] : [{ tint, name: capital(one), value: "" }],
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function listOf(rows: readonly ReadoutRow[]): HTMLElement {
  const list = document.createElement("ul");
  list.append(
    ...rows.map(({ tint, name, value }) => {
      const row = document.createElement("li");
      const mark = document.createElement("i");
      if (tint !== null) mark.style.background = colour(tint);
      const [words, figure] = [document.createElement("span"), document.createElement("b")];
      words.textContent = name;
      figure.textContent = value;
      row.append(mark, words, figure);
      return row;
    }),
  );
  return list;
}

/** Whether a finger is what points here. */
export const isTouched = (): boolean => matchMedia("(pointer: coarse)").matches;

/**
 * Where it hides nothing of the plot: below it and its times, or above it where the window ends there. A finger would hide
 * what is below, so for one it is always above. In a window that is too low for either it is beside the cursor.
 */
export function placeReadout(card: HTMLElement, over: HTMLElement, cursor: number): void {
  const ground = card.parentElement?.getBoundingClientRect();
  if (ground === undefined) return;
  const plot = over.getBoundingClientRect();
  const at = plot.left - ground.left + cursor;
  const { offsetWidth: wide, offsetHeight: high } = card;
  const [above, below] = [plot.top - high - edge, plot.bottom + timesHeight];
  const isBelow = !isTouched() && below + high <= innerHeight;
  const isBeside = !isBelow && !isTouched() && above < 0;
  const isRight = at + space + wide <= ground.width - edge;
  const beside = isRight ? at + space : Math.max(edge, at - space - wide);
  const centred = Math.min(Math.max(edge, at - wide / 2), ground.width - wide - edge);
  const top = isBelow ? below : isBeside ? plot.top : above;
  card.style.left = `${Math.round(isBeside ? beside : centred)}px`;
  card.style.top = `${Math.round(top - ground.top)}px`;
}

/** From the cursor, and from the edge of the card that the plot is in. */
const space = 14;
const edge = 4;
