import { shownMillis } from "#check/shown-latency";
import { type Colour, coloured } from "#cli/edge/coloured";
import { columnsOf, cutColumns, fitText } from "#cli/edge/shown-text";
import * as limits from "#limits/cli-limits";
import { counted } from "#base/text";
import type { Kind } from "#check/monitor";
import type { EpochMillis, Millis } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/** What the live view shows at one moment; every text in it is already safe for a terminal. */
export interface Table {
  readonly title: string;
  readonly location: { readonly status: string; readonly lastSeenAt: string | null };
  readonly rows: readonly TableRow[];
  readonly now: EpochMillis;
}

export interface TableRow {
  readonly kind: Kind;
  readonly name: string;
  /** Null until the first result. */
  readonly last: {
    readonly status: ResultStatus;
    readonly latency: Millis;
    readonly message: string;
  } | null;
  /** Oldest first. */
  readonly latencies: readonly { readonly latency: Millis; readonly status: ResultStatus }[];
  readonly counts: Readonly<Record<ResultStatus, number>>;
}

interface TableSize {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

/** The lines of a table: none is wider than the terminal, and together they are not higher. */
export function tableLines(table: Table, size: TableSize): readonly string[] {
  const { shown, hidden } = rowsThatFit(table.rows, size.rows - linesAround);
  const layout = layoutOf(table.rows, size.columns - columnsBesideName);
  const lines: Line[] = [
    [{ text: table.title, colour: "bold" }],
    locationLine(table),
    [],
    [{ text: header(layout), colour: "dim" }],
    ...shown.map((row) => rowLine(row, layout)),
    ...(hidden === 0 ? [] : [[{ text: `… and ${hidden} more`, colour: "dim" as const }]]),
    [],
    totalsLine(table.rows),
  ];
  // The last column stays free: some terminals break the line when it is written.
  return lines.map((line) => paint(line, size.columns - 1, size.colour));
}

type Line = readonly { readonly text: string; readonly colour: Colour }[];

/** Title, location, header, totals, two empty lines, the line that counts hidden rows, and the cursor's. */
const linesAround = 8;
/** Mark, status, kind, latency and the spaces between; what is left is for name, sparkline and message. */
const columnsBesideName = 2 + 10 + 6 + 10 + 2;
const nameColumnsMin = 12;
/** A reason cut shorter than this says less than the sparkline next to it. */
const messageColumnsMin = 24;

interface Layout {
  readonly nameColumns: number;
  readonly sparkline: boolean;
}

/** Names get what they need up to two fifths of the room; the sparkline is there only if a message still fits. */
function layoutOf(rows: readonly TableRow[], room: number): Layout {
  const longest = Math.max(nameColumnsMin, ...rows.map(({ name }) => columnsOf(name)));
  const nameColumns = Math.min(longest, Math.max(nameColumnsMin, Math.floor(room * 0.4)));
  const sparkline = room - nameColumns >= limits.sparklineWidth + 2 + messageColumnsMin;
  return { nameColumns, sparkline };
}

const statusColours = { success: "green", degraded: "yellow", error: "red" } as const;
const worstFirst = { error: 0, degraded: 1, success: 2 } as const;

/** All rows in their order, or where they do not fit the worst of them. */
function rowsThatFit(
  rows: readonly TableRow[],
  height: number,
): { readonly shown: readonly TableRow[]; readonly hidden: number } {
  if (rows.length <= Math.max(1, height)) return { shown: rows, hidden: 0 };
  const rank = ({ last }: TableRow): number => (last === null ? 3 : worstFirst[last.status]);
  const shown = rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(1, height));
  return { shown, hidden: rows.length - shown.length };
}

function locationLine({ location, now }: Table): Line {
  const colour =
    location.status === "active" ? "green" : location.status === "error" ? "red" : "dim";
  const seen = location.lastSeenAt === null ? NaN : now - Date.parse(location.lastSeenAt);
  const ago = Number.isNaN(seen)
    ? "no agent was seen yet"
    : `last seen ${Math.max(0, Math.floor(seen / 1000))} s ago`;
  return [
    { text: "The service says of this location: ", colour: "plain" },
    { text: location.status, colour },
    { text: `, ${ago}`, colour: "plain" },
  ];
}

function header({ nameColumns, sparkline }: Layout): string {
  const name = fitText("MONITOR", nameColumns);
  const last = sparkline ? `LAST ${limits.sparklineWidth}`.padEnd(limits.sparklineWidth + 2) : "";
  return `  ${"STATUS".padEnd(10)}${"KIND".padEnd(6)}${name}${"LATENCY".padStart(10)}  ${last}MESSAGE`;
}

function rowLine(row: TableRow, { nameColumns, sparkline }: Layout): Line {
  const { kind, name, last } = row;
  const colour = last === null ? "dim" : statusColours[last.status];
  const latency = (last === null ? "" : shownMillis(last.latency)).padStart(10);
  return [
    { text: `● ${(last?.status ?? "waiting").padEnd(10)}`, colour },
    { text: `${kind.padEnd(6)}${fitText(name, nameColumns)}${latency}  `, colour: "plain" },
    ...(sparkline ? bars(row.latencies) : []),
    { text: last?.message ?? "", colour: "plain" },
  ];
}

const heights = "▁▂▃▄▅▆▇█";

/** One bar a result, as high as its share of the row's longest latency, in the colour of its status. */
function bars(latencies: TableRow["latencies"]): Line {
  const longest = Math.max(0.001, ...latencies.map(({ latency }) => latency));
  const drawn = latencies.map(({ latency, status }) => ({
    text:
      heights[Math.min(heights.length - 1, Math.floor((latency / longest) * heights.length))] ??
      " ",
    colour: statusColours[status],
  }));
  const blank = " ".repeat(limits.sparklineWidth + 2 - latencies.length);
  return [...drawn, { text: blank, colour: "plain" }];
}

function totalsLine(rows: readonly TableRow[]): Line {
  const total = (status: ResultStatus): number =>
    rows.reduce((sum, { counts }) => sum + counts[status], 0);
  const [success, degraded, error] = [total("success"), total("degraded"), total("error")];
  return [
    {
      text: `${counted(success + degraded + error, "result")}: ${success} success, ${degraded} degraded, ${error} error. Ctrl-C stops.`,
      colour: "dim",
    },
  ];
}

/** A line of at most `columns` columns, coloured where colours are wanted. */
function paint(line: Line, columns: number, colour: boolean): string {
  let left = columns;
  let painted = "";
  for (const part of line) {
    const text = cutColumns(part.text, left);
    left -= columnsOf(text);
    painted += coloured(text, part.colour, colour);
  }
  return painted.trimEnd();
}
