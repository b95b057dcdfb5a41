import type uPlot from "uplot";
import type { PlotColumns } from "#browser/chart-columns";

/** How far a key moves the cursor, in steps of the chart. */
const moves: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

/** What the keys of one plot work on. */
interface Keyboard {
  readonly plot: uPlot;
  readonly columns: PlotColumns;
  readonly show: (from: number, to: number) => void;
  /** Where a selection begins, as an index of the columns; null if nothing is selected. */
  anchor: number | null;
}

const keyboards = new WeakMap<HTMLElement, Keyboard>();

/**
 * Arrow keys move the cursor, with Shift they select a range, Enter shows it and Escape lets it and the cursor go, and leaves the
 * chart. A finger moves the cursor, too. All other keys are those of the page.
 */
export function moveByKeys(
  box: HTMLElement,
  plot: uPlot,
  columns: PlotColumns,
  show: Keyboard["show"],
): void {
  const isNew = !keyboards.has(box);
  keyboards.set(box, { plot, columns, show, anchor: null });
  followFinger(plot);
  box.tabIndex = 0;
  box.setAttribute("role", "slider");
  box.setAttribute("aria-label", "Latency over time");
  box.setAttribute("aria-valuemin", "0");
  box.setAttribute("aria-valuemax", String(columns.at.length - 1));
  box.setAttribute("aria-valuenow", String(columns.at.length - 1));
  if (isNew) box.addEventListener("keydown", (event) => pressed(box, event));
}

function pressed(box: HTMLElement, event: KeyboardEvent): void {
  const keyboard = keyboards.get(box);
  if (keyboard === undefined) return;
  const { plot, show } = keyboard;
  const move = moves[event.key];
  if (move !== undefined) {
    moveTo(keyboard, move, event.shiftKey);
    event.preventDefault();
  } else if (event.key === "Escape") {
    keyboard.anchor = null;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    plot.setCursor({ left: -10, top: -10 });
    box.blur();
  } else if (event.key === "Enter" && plot.select.width > 0) {
    const { left, width } = plot.select;
    show(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
  }
}

function moveTo(keyboard: Keyboard, move: number, isSelecting: boolean): void {
  const { plot, columns } = keyboard;
  const last = columns.at.length - 1;
  const before = plot.cursor.idx ?? last;
  const index = Math.min(last, Math.max(0, before + move));
  const left = leftOf(plot, columns, index);
  keyboard.anchor = isSelecting ? (keyboard.anchor ?? before) : null;
  const anchor = leftOf(plot, columns, keyboard.anchor ?? index);
  plot.setCursor({ left, top: plot.over.clientHeight / 2 });
  const [from, width] = [Math.min(anchor, left), Math.abs(left - anchor)];
  plot.setSelect({ left: from, top: 0, width, height: plot.over.clientHeight }, false);
}

const leftOf = (plot: uPlot, { at }: PlotColumns, index: number): number =>
  plot.valToPos(at[index] ?? 0, "x");

function followFinger(plot: uPlot): void {
  plot.over.addEventListener("pointermove", ({ pointerType, offsetX, offsetY }) => {
    if (pointerType !== "mouse") plot.setCursor({ left: offsetX, top: offsetY });
  });
  plot.over.addEventListener("pointerdown", ({ pointerType, offsetX, offsetY }) => {
    if (pointerType !== "mouse") plot.setCursor({ left: offsetX, top: offsetY });
  });
}
