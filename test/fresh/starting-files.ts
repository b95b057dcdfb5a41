import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Prints the test files of the suite that another machine or another user may make differ: those that start programs, or
 * reach by their imports what does, and those whose text is about users and what they may do.
 */

const root = path.resolve(import.meta.dirname, "../..");
const stages = /^test\/(chaos|collector|docs|image|kubernetes|packaging|systemd|wire-truth)\//;
const starts = /"node:child_process"|"playwright-core"/;
const ofUsers = /getuid|chmod|EACCES|EPERM|homedir|0o[0-7]{3}\b/;

const texts = new Map<string, string>();
const textOf = (file: string): string =>
  texts.getOrInsertComputed(file, () => readFileSync(path.join(root, file), "utf8"));

/** A file of test/ and all of test/ that it imports. */
function withImports(file: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ""] of textOf(file).matchAll(/^(?:import|export) .*?"(\.[^"]+\.ts)"/gms)) {
    const imported = path.join(path.dirname(file), name);
    if (imported.startsWith("test/")) withImports(imported, found);
  }
  return found;
}

const files = globSync("test/**/*.test.ts", { cwd: root })
  .filter((file) => !stages.test(file))
  .filter(
    (file) =>
      ofUsers.test(textOf(file)) || [...withImports(file)].some((one) => starts.test(textOf(one))),
  );
process.stdout.write(`${files.toSorted().join(" ")}\n`);
