import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { promisify } from "node:util";
import { version } from "#base/version";
import * as limits from "#limits/service-limits";

/**
 * The file that this process was started from. On Linux by the name that stays its own, also after an upgrade has put
 * another in its place.
 */
export const runningFile: string =
  process.platform === "linux" ? "/proc/self/exe" : process.execPath;

/** A file of the program, as it lies next to the others. */
export interface ProgramFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The program, and the version that it says it has. */
interface Program {
  readonly version: string;
  readonly files: readonly ProgramFile[];
}

/**
 * The program as files that need nothing but Node.js: what the one executable carries, what lies next to the bundle, or
 * what another process makes of the sources. The last two are a newer version than this process if an upgrade has put it
 * there since the start. Rejects with a sentence when they cannot be had.
 */
export async function programFiles(): Promise<Program> {
  if (isSea())
    return {
      version: version(),
      files: carried.map((name) => ({ name, bytes: new Uint8Array(getRawAsset(name)) })),
    };
  if (import.meta.url.endsWith(".mjs")) return programIn(import.meta.dirname);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "picket-agent-"));
  await bundleInto(folder.path);
  return await programIn(folder.path);
}

/** The program in a folder is asked for its version: only it knows that for sure. */
async function programIn(folder: string): Promise<Program> {
  const args = [path.join(folder, "picket.mjs"), "--version"];
  const { stdout } = await promisify(execFile)(runningFile, args, { timeout: limits.bundleWithin });
  const said = /^picket (\S+)$/.exec(stdout.trim())?.[1];
  if (said === undefined) throw new Error("the program does not say its version");
  return { version: said, files: await filesIn(folder) };
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
