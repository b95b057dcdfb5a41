import { stripVTControlCharacters } from "node:util";
import type { Io } from "#cli/edge/io";
import { columnsOf } from "#cli/edge/shown-text";
import { terminalOf } from "#cli/edge/terminal";

/** The part of a terminal that is drawn over again and again. */
export class Screen {
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
