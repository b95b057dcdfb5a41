import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { startsPrograms } from "./test-file.ts";

/**
 * The order of test files. Those that need a process each come first, then those that start programs or browsers: they
 * wait for most of their time, and the last of them alone would leave a processor idle.
 *
 * Files that share processes stand in one row: Vitest ends a process whose next file is not for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) => turnOf(one) - turnOf(other) || placeOf(one) - placeOf(other),
    );
  }
}

const turnOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.config.isolate) return 0;
  return startsPrograms(moduleId) ? 1 : 2;
};

/** Vitest knows no durations in a fresh clone and takes the largest files first. These take longer than their size says. */
export const longest: readonly string[] = [
  "chaos/kill",
  "chaos/share",
  "chaos/apply",
  "chaos/clock",
  "chaos/cut-off",
  "chaos/replicas",
  "chaos/outage",
  "service/pages/operator-pages-browser",
  "packaging/forms",
  "packaging/install",
  "cli/why/why-command",
  "endpoint/page",
  "service/status/status-browser",
  "cli/agent/drop-in",
  "cli/agent/agent-and-service",
  "cli/service-password",
  "cli/up/up-command",
  "cli/doctor/doctor-command",
  "agent/vantage/thousand-monitors",
  "agent/vantage/bad-nights",
];

const testFolder = path.resolve(import.meta.dirname, "..");

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.indexOf(path.relative(testFolder, moduleId).replace(/\.test\.ts$/, ""));
  return place === -1 ? longest.length : place;
};
