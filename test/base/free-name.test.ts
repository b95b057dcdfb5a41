import { expect, test } from "vitest";
import { freeName } from "#base/free-name";

test.each([
  [[], "Slack"],
  [["Slack"], "Slack (2)"],
  [["Slack", "Slack (2)", "Slack (4)"], "Slack (3)"],
  [["slack"], "Slack"],
])("with %j taken, Slack becomes %s", (taken, free) => {
  expect(freeName("Slack", new Set(taken), 256)).toBe(free);
});

test("a name is cut so that its number fits", () => {
  expect(freeName("abcdefgh", new Set(["abcdefgh"]), 8)).toBe("abc… (2)");
});
