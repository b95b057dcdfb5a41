import type { Grammar } from "#cli/grammar/command";
import type { Option } from "#cli/grammar/option";

/** The help of a command, made from its table. */
export function helpOf({ name, forms, about, options, notes }: Grammar): string {
  const usage = forms.map((form, index) =>
    `${index === 0 ? "Usage:" : "      "} picket ${name} ${form}`.trimEnd(),
  );
  const rows = [...Object.entries(options), ["help", help] as const].map(
    ([long, option]) => [termOf(long, option), option.does] as const,
  );
  const width = Math.min(termColumnsMax, Math.max(...rows.map(([term]) => term.length)) + 4);
  const lines = rows.flatMap(([term, does]) => optionLines(term, does, width));
  const parts = [usage.join("\n"), about, ["Options", ...lines].join("\n"), notes];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

export const help: Option = { is: "switch", short: "h", does: "this text" };

/** A term that is longer stands on a line alone. */
const termColumnsMax = 30;
const columnsMax = 100;

function termOf(long: string, option: Option): string {
  const short = option.short === "" ? "    " : `-${option.short}, `;
  return `${short}--${long}${option.is === "switch" ? "" : ` ${option.takes.shown}`}`;
}

function optionLines(term: string, does: string, width: number): readonly string[] {
  const [first = "", ...rest] = wrapped(does, columnsMax - width);
  const indent = " ".repeat(width);
  const head = `  ${term}`;
  return head.length + 2 > width
    ? [head, ...[first, ...rest].map((line) => indent + line)]
    : [head.padEnd(width) + first, ...rest.map((line) => indent + line)];
}

/** A text in lines of at most so many columns, broken at spaces. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
