import { expect, test } from "vitest";
import { isOlder, newestOf } from "#service/agents/agent-version";

test.each([
  ["0.1.0", "0.2.0", true],
  ["0.9.1", "0.10.0", true],
  ["1.0.0", "0.10.0", false],
  ["0.1.0", "0.1.0", false],
  ["0.2.0-rc.1", "0.2.0", true],
  ["0.2.0", "0.2.0-rc.1", false],
  ["", "0.2.0", false],
  ["main", "0.2.0", false],
  ["0.1.0", "", false],
])("version %s is before %s: %s", (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});

test("the newest of some versions is found by its numbers, and what is not a version counts for nothing", () => {
  expect(newestOf(["0.9.1", "0.10.0", "dev", ""])).toBe("0.10.0");
  expect(newestOf(["dev", ""])).toBe(null);
});
