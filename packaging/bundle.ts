import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { entries } from "./entries.ts";

/** The repository, whose sources, lock file and installed packages everything is made of. */
export const root: string = path.resolve(import.meta.dirname, "..");

/**
 * Writes the program into `folder` as files that need nothing but Node.js: the command, and the code of its threads. Returns the path of every file that went into them, relative to the repository and in order. Throws when the
 * bundler warns of anything.
 */
export async function bundle(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const used = new Set<string>();
  for (const [file, input] of Object.entries(entries)) {
    const chunk = await bundleOne(input, path.join(folder, file));
    for (const module of chunk.moduleIds)
      if (path.isAbsolute(module)) used.add(path.relative(root, module));
  }
  return [...used].toSorted();
}

async function bundleOne(input: string, file: string): Promise<OutputChunk> {
  await using build = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: [/^node:/, ...absent],
    onLog: (_level, { message }) => {
      throw new Error(`${input} cannot be bundled: ${message}`);
    },
  });
  const { output } = await build.write({
    file,
    format: "esm",
    codeSplitting: false,
    polyfillRequire: false,
    intro: requireOfNode,
    // Licences are in a file of their own, whole.
    comments: false,
  });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`${input} became more than one file`);
  writeFileSync(file, inAscii(chunk.code));
  return chunk;
}

/**
 * The same program in ASCII. A process keeps the text of its program in memory: with a single letter beyond Latin-1 each
 * character takes two bytes, 4 MB more. Without comments such letters stand in strings, templates and expressions alone,
 * where an escape means the same.
 */
const inAscii = (code: string): string =>
  code.replaceAll(/\P{ASCII}/gu, (letter) =>
    Array.from({ length: letter.length }, (_, at) => escapeOf(letter.charCodeAt(at))).join(""),
  );
const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

/** Faster twins of what ws does itself, which it looks for and does without. */
const absent = ["bufferutil", "utf-8-validate"];

/** Packages in CommonJS ask for Node's own modules by `require`, which a module does not have. Nothing else is there. */
const requireOfNode = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw Object.assign(new Error(\`Cannot find module '\${name}'\`), { code: "MODULE_NOT_FOUND" });
};`;
