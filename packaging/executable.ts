import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle, root } from "./bundle.ts";

export type Architecture = "x64" | "arm64";

/** The Node.js that npm installed for this processor; null where it did not. */
export function installedNode(architecture: Architecture): string | null {
  const node = path.join(root, `node_modules/node-linux-${architecture}/bin/node`);
  return existsSync(node) ? node : null;
}

/**
 * Writes `file`: Node.js for this processor, and the bundle inside it. It needs glibc, libstdc++ and libatomic of its
 * system, and no file beside it. Says by `say` what was not as it should be. Throws when it cannot be made.
 */
export async function buildExecutable(
  node: string,
  file: string,
  say: (sentence: string) => void,
): Promise<void> {
  const work = mkdtempSync(path.join(tmpdir(), "picket-executable-"));
  try {
    await bundle(work);
    const runtime = path.join(work, "node");
    copyFileSync(node, runtime);
    strip(runtime, say);
    writeFileSync(path.join(work, "sea.json"), JSON.stringify(contentsOf(file)));
    // The executable remembers the path of what it was made of: a relative one is the same at each build.
    execFileSync(process.execPath, ["--build-sea", "sea.json"], {
      cwd: work,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Has to be done before: afterwards it would take the bundle out again, and what is left does not start. */
function strip(runtime: string, say: (sentence: string) => void): void {
  try {
    execFileSync("strip", [runtime], { stdio: ["ignore", "ignore", "ignore"] });
  } catch {
    say(`strip is missing or does not know this processor: the file is larger than it has to be.`);
  }
}

const contentsOf = (file: string): object => ({
  main: "picket.mjs",
  mainFormat: "module",
  executable: "node",
  output: path.resolve(file),
  disableExperimentalSEAWarning: true,
  // As bin/picket has them.
  execArgv: [
    "--disable-warning=ExperimentalWarning",
    "--max-semi-space-size=1",
    "--no-parallel-scavenge",
  ],
  assets: { "probe-worker.mjs": "probe-worker.mjs" },
});
