import { expect, test } from "vitest";
import { verdictOfAll } from "#service/operator/lists/overview-verdict";

const none = {
  error: 0,
  flapping: 0,
  degraded: 0,
  unknown: 0,
  recovering: 0,
  active: 0,
  inactive: 0,
};
test.each([
  [none, "No monitors"],
  [{ ...none, recovering: 2 }, "2 monitors at 1 location, all recovering"],
  [{ ...none, active: 7 }, "7 monitors at 1 location, all passing"],
  [{ ...none, inactive: 3 }, "3 monitors at 1 location, all paused"],
  [{ ...none, active: 4, inactive: 3 }, "4 passing, 3 paused, of 7 monitors at 1 location"],
  [{ ...none, error: 1, active: 4 }, "1 failing, of 5 monitors at 1 location"],
  [
    { error: 4, flapping: 1, degraded: 1, unknown: 2, recovering: 0, active: 1_000, inactive: 3 },
    "4 failing, 1 flapping, 1 degraded, 2 without data, 3 paused, of 1\u202F011 monitors at 1 location",
  ],
])("of %o monitors the overview says: %s", (counts, words) => {
  expect(verdictOfAll(counts, 1)).toBe(words);
});

test("monitors that pass while their incidents are open recover, and are not said to pass", () => {
  expect(verdictOfAll({ ...none, recovering: 1, active: 1, inactive: 1 }, 2)).toBe(
    "1 recovering, 1 paused, of 3 monitors at 2 locations",
  );
  expect(verdictOfAll({ ...none, flapping: 1, recovering: 1 }, 1)).toBe(
    "1 flapping, 1 recovering, of 2 monitors at 1 location",
  );
});
