import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle.ts";
import { workFolder } from "./work-folder.ts";

/**
 * The folder of a `node-linux-*` package that npm did not install, because it is for another processor: fetched once,
 * and only taken when it is what the lock file's hash says. Throws a sentence when it cannot be had.
 */
export function fetchNodePackage(name: string): string {
  const { version, integrity } = locked(name);
  const kept = path.join(root, "node_modules/.cache", `${name}-${version}`);
  if (existsSync(kept)) return kept;
  mkdirSync(path.dirname(kept), { recursive: true });
  using folder = workFolder(`${kept}.`);
  const work = folder.path;
  // A download that stands still is begun again, twice; npm itself would wait for five minutes each time.
  const patience = ["--fetch-timeout=120000", "--fetch-retries=2"];
  const packing = ["pack", "--silent", ...patience, `${name}@${version}`];
  const archive = execFileSync("npm", packing, { cwd: work, encoding: "utf8" }).trim();
  const hash = createHash("sha512").update(readFileSync(path.join(work, archive)));
  if (`sha512-${hash.digest("base64")}` !== integrity)
    throw new Error(`${archive} is not what package-lock.json says: it was changed on the way`);
  execFileSync("tar", ["-xzf", archive], { cwd: work });
  renameSync(path.join(work, "package"), kept);
  return kept;
}

function locked(name: string): { readonly version: string; readonly integrity: string } {
  const lock: { packages: Record<string, { version: string; integrity: string }> } = JSON.parse(
    readFileSync(path.join(root, "package-lock.json"), "utf8"),
  );
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json does not know ${name}`);
  return entry;
}
