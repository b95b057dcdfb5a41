import path from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { bundle } from "../../packaging/bundle.ts";

/**
 * Bundles the program before a run of every file: what the tests start, processes and threads, is then the files that
 * ship, which start in half the time of the sources. A run of some files, or at each change, starts the sources.
 */
export default async function build({ vitest }: TestProject): Promise<void> {
  const ofSome = Reflect.get(vitest, "filenamePattern") !== undefined;
  if (ofSome || vitest.config.watch) return;
  const folder = path.resolve(import.meta.dirname, "../../node_modules/.cache/built");
  await bundle(folder);
  const hook = pathToFileURL(path.join(import.meta.dirname, "start-built.ts"));
  const before = process.env["NODE_OPTIONS"] ?? "";
  process.env["NODE_OPTIONS"] = `${before} --import=${hook.href}`;
}
