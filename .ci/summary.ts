import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * What the stages of `.ci/run` came to: how long each took, which tests failed and why, and how many passed. Ends with 1
 * unless every stage ran to its end and nothing failed or was skipped.
 *
 * The folder holds a line for each ended stage in `ended`, and a report of Vitest for each suite. After it come the
 * stages that this machine could run in addition, or that take long and were due, each of them a suite.
 */
const further = process.argv.slice(3);
const expected = { stages: 11 + further.length, suites: 10 + further.length };

interface Suite {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const folder = process.argv[2] ?? "";
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");

const stages = read("ended")
  .trim()
  .split("\n")
  .map((line) => line.split(" "));
for (const [stage, code, seconds] of stages) print(`${stage}: ${seconds} s, exit code ${code}`);

const suites = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file): Suite => JSON.parse(read(file)));

/** A failure's first lines say what was expected; the rest is a stack, which the stage has shown. */
const shown = (message: string): string => message.split("\n").slice(0, 3).join("\n    ");
for (const { name, status, message, assertionResults } of suites.flatMap(
  (one) => one.testResults,
)) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { fullName, failureMessages } of failed) {
    print(`failed: ${path.relative(".", name)} > ${fullName}`);
    for (const text of failureMessages) print(`    ${shown(text)}`);
  }
  if (status === "failed" && failed.length === 0)
    print(`failed: ${path.relative(".", name)}\n    ${shown(message)}`);
}

const sum = (of: (suite: Suite) => number): number => suites.reduce((all, one) => all + of(one), 0);
const passed = sum((one) => one.numPassedTests);
const failed = sum((one) => one.numFailedTests);
const skipped = sum((one) => one.numPendingTests + one.numTodoTests);
if (skipped > 0) print(`${skipped} tests were skipped: nothing may be skipped here.`);
print(`${passed} passed, ${failed} failed`);

const isWhole = stages.length === expected.stages && suites.length === expected.suites;
const isGood = stages.every(([, code]) => code === "0") && suites.every((one) => one.success);
process.exitCode = isWhole && isGood && failed === 0 && passed > 0 && skipped === 0 ? 0 : 1;
