import * as limits from "#limits/check-limits";
import { showText } from "#base/text";

/** One thing that is wrong with a file that a person wrote, and where. */
export interface Mistake {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** `http_monitors[0].headers[2].key`; empty for the file as a whole. */
  readonly path: string;
  /** Completes the sentence that begins with the path. */
  readonly message: string;
}

/** Mistakes as compilers print them, one a line in the order of the file, ending in what was not done. */
export function showMistakes(file: string, mistakes: readonly Mistake[], undone: string): string {
  const sorted = mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const shown = sorted.slice(0, limits.mistakesShownMax).map(({ line, column, path, message }) => {
    const sentence = path === "" ? message : `${path}: ${message}`;
    return `${showText(file)}:${line}:${column}: ${showText(sentence)}`;
  });
  const count = `${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"}`;
  const unseen = mistakes.length - shown.length;
  const more = unseen === 0 ? "" : ` (the first ${shown.length} are shown)`;
  return [...shown, `${count} in ${showText(file)}${more}. ${undone}`, ""].join("\n");
}
