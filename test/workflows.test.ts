import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { load } from "js-yaml";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).toSorted();

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, { "timeout-minutes"?: number; steps: readonly Step[] }>>;
}
const workflowOf = (file: string): Workflow => load(read(file)) as Workflow;
const stepsOf = (file: string): readonly Step[] =>
  Object.values(workflowOf(file).jobs).flatMap(({ steps }) => steps);

const scripts = Object.keys(JSON.parse(read("package.json")).scripts);

test("there is a workflow that checks, and one that releases", () => {
  expect(workflows.map((file) => path.basename(file))).toEqual(["check.yml", "release.yml"]);
});

describe.each(workflows)("%s", (file) => {
  test("pins each action by its commit, with the version as a comment", () => {
    const uses = [...read(file).matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(uses.length).toBeGreaterThan(0);
    expect(
      uses.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one)),
    ).toEqual([]);
  });
  test("may only read unless a job says more, and each job ends by itself", () => {
    const { permissions, jobs } = workflowOf(file);
    expect(permissions).toEqual({ contents: "read" });
    const limits = Object.values(jobs).map((job) => job["timeout-minutes"] ?? 0);
    expect(limits.filter((minutes) => minutes < 1 || minutes > 180)).toEqual([]);
  });
  test("runs scripts and files that there are", () => {
    const lines = stepsOf(file).flatMap(({ run = "" }) => run.split("\n"));
    const named = lines.flatMap((line) => /\bnpm run ([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    const files = lines.flatMap((line) => /^(?:node )?(\.?[\w-]+\/[\w./-]+)/.exec(line)?.[1] ?? []);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });
});
