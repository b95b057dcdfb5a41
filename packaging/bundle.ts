import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { scriptSources } from "#web/script-texts";
import { entries } from "./entries.ts";
import { scriptMap } from "./script-map.ts";

/** The repository, whose sources, lock file and installed packages everything is made of. */
export const root: string = path.resolve(import.meta.dirname, "..");

/** The command in the parts that it loads when it needs them, or whole in one file, for a form that can have no other. */
export type CommandForm = "in parts" | "whole";

/**
 * Writes the program into `folder` as files that need nothing but Node.js: the command, and the code of its threads.
 * Returns the path of every file that went into them, relative to the repository and in order. Throws when the bundler
 * warns of anything.
 */
export async function bundle(
  folder: string,
  command: CommandForm = "in parts",
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const used = new Set<string>(scriptSources());
  for (const [file, input] of Object.entries(entries)) {
    const inParts = command === "in parts" && input === entries["picket.mjs"];
    for (const chunk of await bundleOne(file, input, inParts)) {
      writeFileSync(path.join(folder, chunk.fileName), inAscii(withOwnModules(chunk.code)));
      for (const module of chunk.moduleIds)
        if (path.isAbsolute(module)) used.add(path.relative(root, module));
    }
  }
  return [...used].toSorted();
}

async function bundleOne(
  file: string,
  input: string,
  inParts: boolean,
): Promise<readonly OutputChunk[]> {
  await using build = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: [/^node:/, ...absent],
    plugins: [scriptMap],
    // Parts may be loaded as they are, without a file that only says which names of them are meant.
    preserveEntrySignatures: false,
    // How long a build takes is no fault of the program: a busy machine would fail it.
    checks: { bundlerTimings: false },
    onLog: (_level, { message }) => {
      throw new Error(`${input} cannot be bundled: ${message}`);
    },
  });
  const { output } = await build.generate({
    entryFileNames: file,
    chunkFileNames: "[name].mjs",
    format: "esm",
    // A part for all that the same commands load, so a process keeps the text of nothing that it does not need.
    codeSplitting: inParts,
    polyfillRequire: false,
    intro: requireOfNode,
    // Licences are in a file of their own, whole.
    comments: false,
  });
  return output.filter((chunk) => chunk.type === "chunk");
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

/**
 * Node's own modules without `import`, which makes everything that a module offers before any of it is used. Of node:http
 * that is a whole client for fetch and WebSocket: nearly half of the work of `picket health`.
 */
const withOwnModules = (code: string): string =>
  code.replaceAll(
    /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}]+) \}|\* as ([\w$]+))? from "(node:[\w/]+)";$/gm,
    (_import, whole?: string, parts?: string, space?: string, module?: string) =>
      [whole, parts === undefined ? undefined : `{ ${parts.replaceAll(" as ", ": ")} }`, space]
        .filter((name) => name !== undefined)
        .map((name) => `const ${name} = process.getBuiltinModule("${module}");`)
        .join(" "),
  );

/** Faster twins of what ws does itself, which it looks for and does without. */
const absent = ["bufferutil", "utf-8-validate"];

/** Packages in CommonJS ask for Node's own modules by `require`, which a module does not have. Nothing else is there. */
const requireOfNode = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw Object.assign(new Error(\`Cannot find module '\${name}'\`), { code: "MODULE_NOT_FOUND" });
};`;
