import { expect, test } from "vitest";
import { withGroupedLimits } from "#service/operator/forms/grouped-limits";

test.each([
  ["must have at most 4000 characters", "must have at most 4\u202f000 characters"],
  ["must be 1 to 1024 characters long", "must be 1 to 1\u202f024 characters long"],
  ["must be in 1 to 3650, or empty", "must be in 1 to 3\u202f650, or empty"],
  [
    "must be a whole number from 1 to 3650, or empty",
    "must be a whole number from 1 to 3\u202f650, or empty",
  ],
  ["is larger than 65536 bytes", "is larger than 65\u202f536 bytes"],
  // What was typed, ports and codes stay.
  ["must be in 0 to 300, not 12345", "must be in 0 to 300, not 12345"],
  ["has port 70000, which is not in 1 to 65535", "has port 70000, which is not in 1 to 65535"],
  ['has "2024 characters" in it', 'has "2024 characters" in it'],
])("the refusal %j is read as %j", (message, read) => {
  expect(withGroupedLimits([{ field: "a", message }])).toEqual([{ field: "a", message: read }]);
});
