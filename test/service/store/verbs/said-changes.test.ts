import { expect, test } from "vitest";
import { verbOf } from "#service/store/verb-table";

test("every verb that changes an object of the log of changes says so to whoever listens", () => {
  const silent = [...verbOf.values()]
    .filter(({ audit }) => audit.records === "objects")
    .filter(({ changes }) => !changes().includes("objects"))
    .map(({ name }) => name);
  expect(silent).toEqual([]);
  expect(verbOf.get("configuration.own")?.changes()).toContain("objects");
  // What a machine does all the time is news of its own kind.
  expect(verbOf.get("states.put")?.changes()).toEqual(["states"]);
});
