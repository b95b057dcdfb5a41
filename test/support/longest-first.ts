import { BaseSequencer, type TestSpecification } from "vitest/node";
import { startsPrograms } from "./test-file.ts";

/**
 * Files that start programs or browsers come first: they wait for most of their time, and the last of them alone would
 * leave a processor idle. Vitest knows no durations in a fresh clone and would take the largest files first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [starting, others] = [true, false].map((wanted) =>
      sorted.filter(({ moduleId }) => startsPrograms(moduleId) === wanted),
    );
    return [...(starting ?? []), ...(others ?? [])];
  }
}
