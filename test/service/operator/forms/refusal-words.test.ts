import { expect, test } from "vitest";
import { afterLabel, belowField, saidOfMany } from "#service/operator/forms/refusal-words";

test.each([
  ["is required", false, "It is required."],
  ["has a value that is too long", true, "They have a value that is too long."],
  ["are missing: choose some", true, "They are missing: choose some."],
  ["needs a key", true, "They need a key."],
  ["must be chosen", true, "They must be chosen."],
  ['"x" is unknown', true, '"x" is unknown.'],
])("%j below a field that is of many (%j) is %j", (message, isMany, sentence) => {
  expect(belowField(message, isMany)).toBe(sentence);
});

test("a refusal after the label of a list has the verb of many", () => {
  expect(saidOfMany("has one that was deleted")).toBe("have one that was deleted");
  expect(saidOfMany("must have a key")).toBe("must have a key");
});

test.each([
  ["Title", "Enter a title", "Enter a title"],
  ["Headers, header 2: Name", "Enter a name", "Headers, header 2: enter a name"],
  ["Title", "is longer than 9 characters", "Title is longer than 9 characters"],
])("after the label %j, %j is %j", (label, message, sentence) => {
  expect(afterLabel(label, message)).toBe(sentence);
});
