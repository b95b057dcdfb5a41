import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./bundle.ts";
import { architectures, buildExecutable, nodePackage } from "./executable.ts";
import { packForNpm } from "./npm-package.ts";
import { releaseFaults } from "./release-rules.ts";
import { buildInto } from "./shipped.ts";
import { workFolder } from "./work-folder.ts";

/**
 * `npm run release -- TAG [FOLDER]`: every file of a release but the image, in `release/` or the folder that is named, with
 * their checksums. It uploads nothing. docs/releasing.md has the way around it.
 */
const [tag = "", to = path.join(root, "release")] = process.argv.slice(2);
const folder = path.resolve(to);
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

const faults = releaseFaults(tag, {
  version: JSON.parse(read("package.json")).version,
  dockerfile: read("Dockerfile"),
  charts: ["picket", "picket-service"].map((name) =>
    read(`deploy/kubernetes/helm/${name}/Chart.yaml`),
  ),
  changelog: read("CHANGELOG.md"),
});
if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exit(1);
}

mkdirSync(folder, { recursive: true });
using work = workFolder(path.join(tmpdir(), "picket-release-"));
const bundled = path.join(work.path, `picket-${tag}`);
await buildInto(bundled);
for (const file of ["THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"])
  copyFileSync(path.join(bundled, file), path.join(folder, file));
const archive = path.join(folder, `picket-${tag}-bundle.tar.gz`);
const reproducible = "--sort=name --owner=0 --group=0 --numeric-owner --mtime=@0".split(" ");
execFileSync("tar", reproducible.concat("-C", work.path, "-czf", archive, `picket-${tag}`));
say("the bundle");
for (const architecture of architectures) {
  await buildExecutable(architecture, path.join(folder, `picket-linux-${architecture}`), say);
  say(`the one file for ${architecture}`);
}
copyFileSync(path.join(nodePackage("x64"), "LICENSE"), path.join(folder, "NODE-LICENSE.txt"));
say(`${path.basename(await packForNpm(path.join(work.path, "npm"), folder))} for npm`);
const tools = execFileSync(path.join(root, "deploy/kubernetes/tools.sh"), {
  encoding: "utf8",
}).trim();
for (const chart of ["picket", "picket-service"])
  execFileSync(path.join(tools, "helm"), [
    "package",
    path.join(root, "deploy/kubernetes/helm", chart),
    "--destination",
    folder,
  ]);
say("the charts");
const sums = readdirSync(folder)
  .filter((file) => file !== "SHA256SUMS")
  .toSorted()
  .map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(path.join(folder, file)))
        .digest("hex")}  ${file}\n`,
  );
writeFileSync(path.join(folder, "SHA256SUMS"), sums.join(""));
say(`${sums.length} files and their SHA256SUMS are in ${folder}`);
