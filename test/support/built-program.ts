import { cpSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { bundle } from "../../packaging/bundle.ts";

/** So many files start the program often enough for a bundle to pay. */
const manyFiles = 10;

const built = path.resolve(import.meta.dirname, "../../node_modules/.cache/built");
const hook = `--import=${pathToFileURL(path.join(import.meta.dirname, "start-built.ts")).href}`;
const isBuilt = (): boolean => process.env["NODE_OPTIONS"]?.includes(hook) ?? false;

/**
 * Bundles the program before a run of every file, or of many: what the tests start, processes and threads, is then the
 * files that ship, which start in half the time of the sources. A run of a few files, or at each change, starts the
 * sources.
 */
export default async function build({ vitest }: TestProject): Promise<void> {
  const named: unknown = Reflect.get(vitest, "filenamePattern");
  const ofFew = Array.isArray(named) && named.length < manyFiles;
  if (!ofFew && !vitest.config.watch) await buildOnce();
}

/** For this process and all that it starts, among them other runs. */
export async function buildOnce(): Promise<void> {
  // Another project of this run may have built it already.
  if (isBuilt()) return;
  process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} ${hook}`;
  await bundle(built);
}

/** Puts the bundle into a folder of a test: a copy of what this run has built, where it has, else a new one. */
export async function putBundle(folder: string): Promise<void> {
  if (isBuilt()) cpSync(built, folder, { recursive: true });
  else await bundle(folder);
}
