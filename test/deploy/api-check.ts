import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isRecord } from "./manifests.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Kinds of other APIs than Kubernetes' own, whose types no one publishes with these. */
const foreign = new Set(["ServiceMonitor"]);

/** What the compiler says of manifests, held against the API's types: unknown keys and wrong values. Empty is right. */
export function typeErrors(documents: readonly unknown[]): string {
  const scratch = path.join(root, ".vitest");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(path.join(scratch, "kubernetes-"));
  const file = path.join(folder, "manifests.ts");
  writeFileSync(file, documents.map(constantOf).join(""));
  const strict = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "esnext"];
  // What manifests need of a library is in the oldest; reading a browser's and Node.js's takes three times as long.
  const small = ["--lib", "es5"];
  const compiler = path.join(root, "node_modules/.bin/tsc");
  try {
    const args = ["--ignoreConfig", "--noEmit", ...small, ...strict, file];
    const { stdout, stderr } = spawnSync(compiler, args, { cwd: root, encoding: "utf8" });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function constantOf(document: unknown, index: number): string {
  if (!isRecord(document)) throw new TypeError("a manifest is an object");
  const { apiVersion, kind } = document;
  if (foreign.has(String(kind))) return "";
  return (
    `import type { I${String(kind)} as T${index} } from "kubernetes-models/${String(apiVersion)}";\n` +
    `export const d${index}: T${index} = ${JSON.stringify(document, null, 1)};\n`
  );
}
