import path from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { bundle } from "../../packaging/bundle.ts";

/** So many files start the program often enough for a bundle to pay. */
const manyFiles = 10;

/**
 * Bundles the program before a run of every file, or of many: what the tests start, processes and threads, is then the
 * files that ship, which start in half the time of the sources. A run of a few files, or at each change, starts the
 * sources.
 */
export default async function build({ vitest }: TestProject): Promise<void> {
  const named: unknown = Reflect.get(vitest, "filenamePattern");
  const ofFew = Array.isArray(named) && named.length < manyFiles;
  if (ofFew || vitest.config.watch) return;
  const hook = `--import=${pathToFileURL(path.join(import.meta.dirname, "start-built.ts")).href}`;
  const before = process.env["NODE_OPTIONS"] ?? "";
  // Another project of this run has it built already.
  if (before.includes(hook)) return;
  process.env["NODE_OPTIONS"] = `${before} ${hook}`;
  await bundle(path.resolve(import.meta.dirname, "../../node_modules/.cache/built"));
}
