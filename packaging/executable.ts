import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle, root } from "./bundle.ts";
import { entries } from "./entries.ts";
import { fetchNodePackage } from "./foreign-node.ts";
import { licensesOf } from "./licenses.ts";
import { workFolder } from "./work-folder.ts";

export const architectures = ["x64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

/** The processor that this runs on, where Picket runs on it. */
export const ownArchitecture: Architecture | null =
  architectures.find((name) => name === process.arch) ?? null;

/** The folder of Node.js for a processor, with bin/node and LICENSE: as npm installed it, else fetched. */
export function nodePackage(architecture: Architecture): string {
  const name = `node-linux-${architecture}`;
  const installed = path.join(root, "node_modules", name);
  return existsSync(path.join(installed, "bin/node")) ? installed : fetchNodePackage(name);
}

/**
 * Writes `file`: Node.js for that processor, and the bundle inside it. It needs glibc, libstdc++ and libatomic of its
 * system, and no file beside it. Says by `say` what was not as it should be. Throws when it cannot be made.
 */
export async function buildExecutable(
  architecture: Architecture,
  file: string,
  say: (sentence: string) => void,
): Promise<void> {
  using folder = workFolder(path.join(tmpdir(), "picket-executable-"));
  const work = folder.path;
  writeFileSync(path.join(work, licences), licensesOf(await bundle(work, "whole")));
  const runtime = path.join(work, "node");
  copyFileSync(path.join(nodePackage(architecture), "bin/node"), runtime);
  strip(architecture, runtime, say);
  writeFileSync(path.join(work, "sea.json"), JSON.stringify(contentsOf(file)));
  // The executable remembers the path of what it was made of: a relative one is the same at each build.
  execFileSync(process.execPath, ["--build-sea", "sea.json"], {
    cwd: work,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

const licences = "THIRD-PARTY-LICENSES.txt";

const triplets = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const;

/** Has to be done before: afterwards it would take the bundle out again, and what is left does not start. */
function strip(architecture: Architecture, runtime: string, say: (sentence: string) => void): void {
  const triplet = triplets[architecture];
  const program = architecture === ownArchitecture ? "strip" : `${triplet}-strip`;
  try {
    execFileSync(program, [runtime], { stdio: ["ignore", "ignore", "ignore"] });
  } catch {
    say(
      `${program} is missing (Debian: ${program === "strip" ? "binutils" : `binutils-${triplet}`}): the file is larger than it has to be.`,
    );
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
    "--disable-sigusr1",
    "--min-semi-space-size=1",
    "--max-semi-space-size=1",
    "--no-parallel-scavenge",
  ],
  // Its threads load the second and the third; a service hands all of them out (src/service/downloads/program-files.ts).
  assets: Object.fromEntries([...Object.keys(entries), licences].map((file) => [file, file])),
});
