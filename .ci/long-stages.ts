import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The stages that take too long for each change: `.ci/run` runs one of them when a file that it is about differs from
 * what it passed with. `passed.json` has the digest of those files for each stage, so that a clean clone can tell.
 *
 * `long-stages.ts due` prints the stages that have to run, and `long-stages.ts all` all of them. `long-stages.ts digest
 * STAGE` prints the digest of its files as they are, and `long-stages.ts passed STAGE DIGEST` records that it has passed.
 */
export const subjects: Readonly<Record<string, readonly string[]>> = {
  // What the cluster is given, the image that it runs, and how the agent in it starts, hears and ends.
  kubernetes: [
    "deploy/kubernetes/{helm,kustomize}/**/*",
    "docs/kubernetes.md",
    "Dockerfile",
    "packaging/{build,bundle,entries,image-start}.ts",
    "src/main.ts",
    "src/cli/agent/{agent-command,agent-state,left-results,open-agent}.ts",
    "src/agent/endpoint/liveness.ts",
    "test/image/{engine.ts,base/*}",
    "test/kubernetes/*",
  ],
  // What the agent exports, and the collector that takes it.
  collector: ["src/metrics/**/*", "test/collector/**/*"],
};

const root = path.resolve(import.meta.dirname, "..");
const record = path.join(import.meta.dirname, "passed.json");

/** The files that a stage is about; throws where a pattern names none, for then it has lost its subject. */
export function filesOf(stage: string): readonly string[] {
  const patterns = subjects[stage];
  if (patterns === undefined)
    throw new Error(`${stage} is none of: ${Object.keys(subjects).join(", ")}`);
  const found = patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    if (files.length === 0) throw new Error(`${pattern} of ${stage} names no file`);
    return files.map((one) => path.relative(root, path.join(one.parentPath, one.name)));
  });
  return [...new Set(found)].toSorted();
}

function digestOf(stage: string): string {
  const hash = createHash("sha256");
  for (const file of filesOf(stage)) hash.update(`${file}\0${shownText(file)}`);
  return hash.digest("hex").slice(0, 16);
}

/** What a reader of a page does not see is not its subject, nor are the words that a schema explains a setting with. */
function shownText(file: string): string {
  const text = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".schema.json"))
    return text.replaceAll(/^\s*"description": "(?:[^"\\]|\\.)*",?\n/gm, "");
  return file.endsWith(".md") ? text.replaceAll(/<!--[^]*?-->\s*/g, "") : text;
}

/** With which files each stage passed. */
export const passed = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(record, "utf8"));

const orders: Readonly<Record<string, (stage: string, digest: string) => readonly string[]>> = {
  all: () => Object.keys(subjects),
  due: () => Object.keys(subjects).filter((stage) => passed()[stage] !== digestOf(stage)),
  digest: (stage) => [digestOf(stage)],
  passed: (stage, digest) => {
    writeFileSync(record, `${JSON.stringify({ ...passed(), [stage]: digest }, null, 2)}\n`);
    return [];
  },
};

if (import.meta.main) {
  const [order = "", stage = "", digest = ""] = process.argv.slice(2);
  for (const line of orders[order]?.(stage, digest) ?? []) process.stdout.write(`${line}\n`);
}
