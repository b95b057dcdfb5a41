import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { startsPrograms } from "./test-file.ts";

/**
 * The order of test files. Those that need a process each come first, for files that share processes have to stand in
 * one row: Vitest ends a process whose next file is not for it. Of that row, files that start programs or browsers wait
 * for most of their time, and the others compute: both are spread over it, so that they run beside each other. The last
 * part is only for those that compute, since one that waits alone would leave the processors idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
    const alone = sorted.filter(({ project }) => project.config.isolate);
    const sharing = sorted.filter(({ project }) => !project.config.isolate);
    const [waiting, computing] = [true, false].map((waits) =>
      sharing.filter(({ moduleId }) => startsPrograms(moduleId) === waits),
    );
    const places = [...spread(waiting ?? [], 0.6), ...spread(computing ?? [], 1)];
    const row = places.toSorted((one, other) => one.place - other.place);
    return [...alone, ...row.map(({ file }) => file)];
  }
}

/** Evenly over the first part of a row that is 1 long. */
const spread = (
  files: readonly TestSpecification[],
  part: number,
): readonly { readonly file: TestSpecification; readonly place: number }[] =>
  files.map((file, index) => ({ file, place: (index / files.length) * part }));

/** Vitest knows no durations in a fresh clone and takes the largest files first. These take longer than their size says. */
export const longest: readonly string[] = [
  "chaos/kill",
  "chaos/share",
  "chaos/apply",
  "chaos/clock",
  "chaos/cut-off",
  "chaos/replicas",
  "chaos/outage",
  "service/operator/every-form-browser",
  "service/operator/operator-pages-browser",
  "packaging/forms",
  "packaging/install",
  "cli/why/why-command",
  "agent/endpoint/page",
  "service/status-site/status-browser",
  "cli/agent/drop-in",
  "cli/agent/agent-and-service",
  "cli/service/service-password",
  "cli/up/up-command",
  "cli/doctor/doctor-command",
  "agent/looks/thousand-monitors",
  "agent/looks/bad-nights",
  "cli/agent/agent-kill",
];

const testFolder = path.resolve(import.meta.dirname, "..");

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.indexOf(path.relative(testFolder, moduleId).replace(/\.test\.ts$/, ""));
  return rank === -1 ? longest.length : rank;
};
