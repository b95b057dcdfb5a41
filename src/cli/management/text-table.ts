import { type Colour, coloured } from "#cli/edge/coloured";
import { columnsOf, cutColumns, fitText } from "#cli/edge/shown-text";
import type { Terminal } from "#cli/edge/terminal";
import { showText } from "#base/text";

/** One cell; a foreign text is made harmless here. */
export interface Cell {
  readonly text: string;
  readonly colour: Colour;
}

export const cell = (text: string | number, colour: Colour = "plain"): Cell => ({
  text: showText(String(text)),
  colour,
});

export interface Column {
  readonly head: string;
  readonly align: "left" | "right";
  /** Whether it may be cut where the terminal is too narrow. */
  readonly gives: boolean;
}

export const column = (head: string, more: Partial<Omit<Column, "head">> = {}): Column => ({
  head,
  align: "left",
  gives: false,
  ...more,
});

/** The lines of a table that is not wider than the terminal; elsewhere each column is as wide as its widest cell. */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { columns: width, colour }: Terminal,
): readonly string[] {
  const heads = columns.map(({ head }) => cell(head, "dim"));
  const widths = fittingWidths(columns, [heads, ...rows], width);
  return [heads, ...rows].map((row) =>
    row
      .map(({ text, colour: wanted }, index) => {
        const columnWidth = widths[index] ?? 0;
        const right = columns[index]?.align === "right";
        const fitted = right
          ? cutColumns(text, columnWidth).padStart(columnWidth)
          : fitText(text, columnWidth);
        return coloured(index === row.length - 1 ? fitted.trimEnd() : fitted, wanted, colour);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** A cell that is cut shorter than this says nothing. */
const cutColumnsMin = 8;

function fittingWidths(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  terminal: number | null,
): readonly number[] {
  const widths = columns.map((_, index) =>
    rows.reduce((widest, row) => Math.max(widest, columnsOf(row[index]?.text ?? "")), 0),
  );
  if (terminal === null) return widths;
  // The last column of a terminal stays free: some break the line when it is written.
  let over = widths.reduce((sum, one) => sum + one + 2, -2) - (terminal - 1);
  while (over > 0) {
    const widest = columns
      .map(({ gives }, index) => ({ index, width: gives ? (widths[index] ?? 0) : 0 }))
      .reduce((a, b) => (b.width > a.width ? b : a));
    if (widest.width <= cutColumnsMin) break;
    widths[widest.index] = widest.width - 1;
    over -= 1;
  }
  // What has no room at all is left out from the right: a line that wraps hides the table.
  for (let index = widths.length - 1; index > 0 && over > 0; index -= 1) {
    const width = widths[index] ?? 0;
    const taken = Math.min(width, over);
    widths[index] = width - taken;
    over -= taken;
  }
  return widths;
}
