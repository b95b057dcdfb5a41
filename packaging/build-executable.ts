import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle.ts";
import { type Architecture, buildExecutable, installedNode } from "./executable.ts";

/** `npm run build:exe [-- FOLDER]`: one executable for each processor whose Node.js is installed, in `dist/`. */
const folder = path.resolve(process.argv[2] ?? path.join(root, "dist"));
const architectures: readonly Architecture[] = ["x64", "arm64"];
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

mkdirSync(folder, { recursive: true });
let made = 0;
for (const architecture of architectures) {
  const node = installedNode(architecture);
  if (node === null) {
    say(`linux ${architecture}: not made, for node-linux-${architecture} is not installed.`);
    continue;
  }
  const file = path.join(folder, `picket-linux-${architecture}`);
  await buildExecutable(node, file, say);
  copyFileSync(path.join(node, "../../LICENSE"), path.join(folder, "NODE-LICENSE.txt"));
  say(`linux ${architecture}: ${file}`);
  made += 1;
}
if (made === 0) process.exitCode = 1;
