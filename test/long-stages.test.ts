import { expect, test } from "vitest";
import { filesOf, passed, subjects } from "../.ci/long-stages.ts";

test("each stage that takes long is about files that exist, and has a record of what it passed with", () => {
  for (const stage of Object.keys(subjects)) expect(filesOf(stage).length).toBeGreaterThan(5);
  expect(Object.keys(passed()).toSorted()).toEqual(Object.keys(subjects).toSorted());
});

test("a stage's subject is every file of its folders, and of no other stage's record", () => {
  expect(filesOf("kubernetes")).toEqual(
    expect.arrayContaining(["Dockerfile", "deploy/kubernetes/helm/picket/templates/_pod.tpl"]),
  );
  expect(filesOf("collector")).toContain("test/collector/program/go.mod");
  expect(() => filesOf("suite")).toThrow("suite is none of: kubernetes, collector");
});
