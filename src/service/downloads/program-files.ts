import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { promisify } from "node:util";
import * as limits from "#limits/service-limits";

/** A file of the program, as it lies next to the others. */
export interface ProgramFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The program that this process runs, as files that need nothing but Node.js: what lies next to the bundle, what the one
 * executable carries, or what another process makes of the sources. Rejects with a sentence when they cannot be had.
 */
export async function programFiles(): Promise<readonly ProgramFile[]> {
  if (isSea()) return carried.map((name) => ({ name, bytes: new Uint8Array(getRawAsset(name)) }));
  if (import.meta.url.endsWith(".mjs")) return filesIn(import.meta.dirname);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "picket-agent-"));
  await bundleInto(folder.path);
  return await filesIn(folder.path);
}

/** What the one executable carries of itself (packaging/executable.ts). */
const carried = [
  "picket.mjs",
  "probe-worker.mjs",
  "store-worker.mjs",
  "THIRD-PARTY-LICENSES.txt",
] as const;

async function filesIn(folder: string): Promise<readonly ProgramFile[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith(".mjs") || name === "THIRD-PARTY-LICENSES.txt",
  );
  return Promise.all(
    names
      .toSorted()
      .map(async (name) => ({ name, bytes: await readFile(path.join(folder, name)) })),
  );
}

/** In another process, because the bundler needs more memory than the service. */
async function bundleInto(folder: string): Promise<void> {
  const build = path.resolve(import.meta.dirname, "../../../packaging/build-program.ts");
  const args = ["--disable-warning=ExperimentalWarning", build, folder];
  try {
    await promisify(execFile)(process.execPath, args, { timeout: limits.bundleWithin });
  } catch (error) {
    throw new Error("the sources cannot be bundled: run npm ci in the clone", { cause: error });
  }
}
