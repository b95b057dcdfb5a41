import { stripVTControlCharacters } from "node:util";
import type { Io } from "#cli/io";
import { columnsOf } from "#cli/shown-text";
import { terminalOf } from "#cli/terminal";
import { type Table, tableLines, type TableRow } from "#cli/up/table";
import type { View, ViewOptions } from "#cli/up/up-view";
import * as limits from "#limits";
import { reasonsOf } from "#check/remark";
import type { Result } from "#check/result";
import { showText } from "#text";

/** A table of the monitors that redraws itself in place, below whatever the terminal showed before. */
export function startLiveView(options: ViewOptions): View {
  const screen = new Screen(options.io);
  const live = new LiveView(options, screen);
  void live.redrawUntilClosed();
  return live;
}

class LiveView implements View {
  readonly #options: ViewOptions;
  readonly #screen: Screen;
  readonly #rows = new Map<string, TableRow>();
  readonly #closing = new AbortController();
  #location: Table["location"] = { status: "unknown", lastSeenAt: null };

  constructor(options: ViewOptions, screen: Screen) {
    this.#options = options;
    this.#screen = screen;
    for (const { id, kind, name } of options.monitors)
      this.#rows.set(id, {
        kind,
        name: showText(name),
        last: null,
        latencies: [],
        counts: noCounts,
      });
  }

  result(result: Result): void {
    const row = this.#rows.get(result.monitorId);
    if (row === undefined) return;
    const point = { latency: result.latency, status: result.status };
    this.#rows.set(result.monitorId, {
      ...row,
      last: {
        status: result.status,
        latency: result.latency,
        message: showText(reasonsOf(result)),
      },
      latencies: [...row.latencies, point].slice(-limits.sparklineWidth),
      counts: { ...row.counts, [result.status]: row.counts[result.status] + 1 },
    });
  }

  location(seen: Table["location"]): void {
    this.#location = seen;
  }

  note(line: string): void {
    this.#screen.print(showText(line));
    this.#draw();
  }

  async redrawUntilClosed(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#draw();
      await this.#options.clock.sleep(limits.viewRedrawEvery, signal);
    }
  }

  [Symbol.dispose](): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#draw();
    this.#screen.close();
  }

  #draw(): void {
    const { clock, title } = this.#options;
    this.#screen.draw(
      tableLines(
        {
          title: showText(title),
          location: this.#location,
          rows: [...this.#rows.values()],
          now: clock.wall(),
        },
        this.#screen.size(),
      ),
    );
  }
}

const noCounts: TableRow["counts"] = { success: 0, degraded: 0, error: 0 };

/** The part of a terminal that is drawn over again and again. */
class Screen {
  readonly #io: Io;
  readonly #restore: () => void;
  #drawn: readonly string[] = [];
  #closed = false;

  constructor(io: Io) {
    this.#io = io;
    this.#restore = () => this.close();
    io.abandon.addEventListener("abort", this.#restore, { once: true });
    io.stdout.write(hideCursor);
  }

  size(): { readonly columns: number; readonly rows: number; readonly colour: boolean } {
    const { columns, rows, colour } = terminalOf(this.#io);
    return { columns: columns ?? 80, rows, colour };
  }

  draw(lines: readonly string[]): void {
    if (this.#closed || sameLines(lines, this.#drawn)) return;
    this.#io.stdout.write(`${this.#erase()}${lines.join("\n")}\n`);
    this.#drawn = lines;
  }

  /** Writes a line that stays above what is drawn next. */
  print(line: string): void {
    const erase = this.#closed ? "" : this.#erase();
    this.#drawn = [];
    this.#io.stdout.write(`${erase}${line}\n`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#io.abandon.removeEventListener("abort", this.#restore);
    this.#io.stdout.write(showCursor);
  }

  /** Back to the first line drawn and everything below it away; a terminal made narrower has wrapped the lines. */
  #erase(): string {
    const { columns } = this.size();
    const height = this.#drawn
      .map((line) => Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / columns)))
      .reduce((sum, lines) => sum + lines, 0);
    return height === 0 ? "" : `\x1b[${height}A\r\x1b[J`;
  }
}

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

const sameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
