import type uPlot from "uplot";
import { type Chart, columnsOf } from "#browser/chart-columns";
import { moveByKeys } from "#browser/chart-keys";
import { heightOf, latencyPlot, phasePlot, type PlotEvents } from "#browser/chart-plot";
import { fillReadout, isTouched, placeReadout } from "#browser/chart-readout";
import { hasValue } from "#browser/plot-values";
import { wordsAt } from "#browser/chart-words";

/*
 * The charts of a monitor's page, where a script may run: the value and the time under the pointer, a finger, or the
 * arrow keys, and a range by dragging. Without it the page has the same as pictures with links and a form.
 */

const box = document.querySelector("[data-chart]");
if (box instanceof HTMLElement) void begin(box);

async function begin(box: HTMLElement): Promise<void> {
  const chart = await readChart(box.dataset["chart"] ?? "");
  if (chart === null) return;
  await loadLooks();
  const card = document.createElement("div");
  card.className = "readout";
  card.setAttribute("aria-hidden", "true");
  const words = document.createElement("p");
  words.className = "hint";
  words.textContent = hint;
  for (const one of [card, words]) one.dataset["drawn"] = "";
  box.after(card, words);
  let drawn = draw(box, chart, card);
  const again = (fresh: Chart): void => {
    for (const plot of drawn) plot.destroy();
    drawn = draw(box, fresh, card);
  };
  let shown = chart;
  document.addEventListener("renewed", () => {
    void readChart(box.dataset["chart"] ?? "").then((fresh) => {
      if (fresh === null || document.activeElement === box) return;
      shown = fresh;
      again(fresh);
    });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => again(shown));
  new ResizeObserver(() => {
    for (const [index, plot] of drawn.entries())
      plot.setSize({ width: box.clientWidth, height: index === 0 ? heightOf(box) : plot.height });
  }).observe(box);
}

/** The library's own looks come from the folder of this script. */
function loadLooks(): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("./uplot.css", import.meta.url).href;
  const { promise, resolve } = Promise.withResolvers<void>();
  link.addEventListener("load", () => resolve());
  link.addEventListener("error", () => resolve());
  document.head.append(link);
  return promise;
}

function draw(box: HTMLElement, chart: Chart, card: HTMLElement): readonly uPlot[] {
  const columns = columnsOf(chart);
  card.hidden = true;
  if (columns.at.length === 0) return [];
  const plots: uPlot[] = [];
  const events: PlotEvents = {
    pointed: (index) => {
      card.hidden = index === null;
      if (index === null) return;
      box.setAttribute("aria-valuetext", wordsAt(chart, columns, index));
      box.setAttribute("aria-valuenow", String(index));
      fillReadout(card, chart, columns, index);
      const plot = plots.find(({ over }) => over.matches(":hover")) ?? plots[0];
      if (plot !== undefined) placeReadout(card, plot.over, plot.cursor.left ?? 0);
    },
    dragged: showRange,
  };
  makeRoom(box);
  const latency = latencyPlot(box, chart, events);
  plots.push(latency);
  if (!hasValue(columns.lines)) latency.root.append(nothingPassed());
  moveByKeys(box, latency, columns, showRange);
  const below = document.querySelector("[data-phases]");
  // The cursors move together: the plot above, whose instants may be other ones, says where both are.
  const dragged = { ...events, pointed: () => undefined };
  const phases = below instanceof HTMLElement ? phasePlot(below, chart, dragged) : null;
  if (!(below instanceof HTMLElement) || phases === null) return plots;
  plots.push(phases);
  makeRoom(below);
  below.append(phases.root);
  return plots;
}

/** In the place of figures that an axis would invent. */
function nothingPassed(): HTMLElement {
  const words = document.createElement("p");
  words.className = "unpassed";
  words.textContent = "No check passed in this range";
  return words;
}

const hint = isTouched()
  ? "Tap the chart to read it, drag for a range."
  : "Point at the chart to read it, drag for a range, or use the arrow keys.";

/** The picture for readers without a script gives way, and a renewal of the page leaves this part alone. */
function makeRoom(box: HTMLElement): void {
  box.dataset["drawn"] = "";
  box.querySelector(":scope > svg")?.remove();
}

/** Loads the page of that time: the figures, the tables and the pictures of it are the same. */
function showRange(from: number, to: number): void {
  const address = new URL(location.href);
  const typed = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
  address.searchParams.set("range", "custom");
  // A range of hours has whole minutes, so that its fields have round times; one of a few minutes has seconds.
  const grain = to - from < secondsBelowMs ? 1_000 : 60_000;
  const first = Math.floor(from / grain) * grain;
  const last = Math.max(Math.ceil(to / grain) * grain, first + leastMs);
  address.searchParams.set("from", typed(first));
  address.searchParams.set("to", typed(last));
  address.searchParams.delete("notice");
  address.hash = "past";
  location.assign(address);
}

const secondsBelowMs = 5 * 60_000;
/** A shorter one is refused. */
const leastMs = 10_000;

/** Null if the service does not answer: what is shown stays. */
async function readChart(address: string): Promise<Chart | null> {
  try {
    const answer = await fetch(address, { redirect: "error" });
    if (!answer.ok) return null;
    const chart: Chart = await answer.json();
    return chart;
  } catch {
    return null;
  }
}
