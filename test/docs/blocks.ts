import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/* The code that pages show, each block with what a comment before it says about running it. */

export const repository: string = path.resolve(import.meta.dirname, "../..");

/** Every page of the repository, as a path from its root. */
export const pages: readonly string[] = globSync(["*.md", "docs/**/*.md", "deploy/**/*.md"], {
  cwd: repository,
}).toSorted();

export interface Block {
  readonly page: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  /** The word after the fence, e.g. `sh`; empty for a drawing or an output. */
  readonly language: string;
  readonly code: string;
  readonly mark?: Mark;
}

/**
 * The HTML comment right before a block, which no reader sees: `<!-- not run: REASON -->`, `<!-- run by: FILE -->`, or
 * `<!-- file: NAME -->` for a file that the page's commands read.
 */
export interface Mark {
  readonly kind: "not run" | "run by" | "file";
  readonly text: string;
}

const fence = /^(?:<!-- (not run|run by|file): (.+) -->\n+)?```(\w*)\n([\s\S]*?)^```$/gm;

export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(path.join(repository, page), "utf8");
  return [...text.matchAll(fence)].map((match) => {
    const [whole, kind, said = "", language = "", code = ""] = match;
    const line = text.slice(0, match.index + whole.indexOf("```")).split("\n").length;
    const block: Block = { page, line, language, code };
    return kind === undefined ? block : { ...block, mark: { kind: kindOf(kind), text: said } };
  });
}

function kindOf(word: string): Mark["kind"] {
  if (word === "not run" || word === "run by") return word;
  return "file";
}
