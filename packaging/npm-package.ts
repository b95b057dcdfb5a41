import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle.ts";
import { buildInto } from "./shipped.ts";

/** What of the manifest a person who installs the package needs. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
}

/**
 * Writes the npm tarball into `folder` and returns its path: the bundle and a command that starts it. It has no
 * dependencies, for the bundle holds them. Node.js does not run TypeScript below node_modules, so the sources are not in it.
 */
export async function packForNpm(work: string, folder: string): Promise<string> {
  const { name, version, description, keywords, license }: Manifest = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  );
  mkdirSync(path.join(work, "bin"), { recursive: true });
  await buildInto(path.join(work, "dist"));
  for (const file of ["LICENSE", "README.md"]) cpSync(path.join(root, file), path.join(work, file));
  cpSync(path.join(root, "packaging/download/picket.sh"), path.join(work, "bin/picket"));
  chmodSync(path.join(work, "bin/picket"), 0o755);
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    type: "module",
    bin: { picket: "bin/picket" },
    engines: { node: ">=26" },
    os: ["linux"],
  };
  writeFileSync(path.join(work, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: work,
    encoding: "utf8",
  });
  return path.join(folder, packed.trim());
}
