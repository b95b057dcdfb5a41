import { copyFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./bundle.ts";
import { buildInto } from "./shipped.ts";
import { architectures, buildExecutable, nodePackage, ownArchitecture } from "./executable.ts";

/** `npm run build:exe [-- --arch x64|arm64] [FOLDER]`: one executable for this machine's processor or that one, and what `npm run build` makes, in `dist/`. */
const { values, positionals } = parseArgs({
  options: { arch: { type: "string", default: process.arch } },
  allowPositionals: true,
});
const architecture = architectures.find((name) => name === values.arch);
if (architecture === undefined) {
  process.stderr.write(`--arch takes ${architectures.join(" or ")}, not ${values.arch}.\n`);
  process.exit(64);
}
const folder = path.resolve(positionals[0] ?? path.join(root, "dist"));
const file = path.join(folder, `picket-linux-${architecture}`);
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

await buildInto(folder);
await buildExecutable(architecture, file, say);
copyFileSync(
  path.join(nodePackage(architecture), "LICENSE"),
  path.join(folder, "NODE-LICENSE.txt"),
);
say(file);
if (architecture !== ownArchitecture) say("It is for another processor than this machine's.");
