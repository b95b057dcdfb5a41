import { describe, expect, it } from "vitest";
import { parseDuration } from "#base/duration";

describe("a duration", () => {
  it.each([
    ["500ms", 500],
    ["20s", 20_000],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["0s", 0],
  ])("%s is %i ms", (text, duration) => {
    expect(parseDuration(text)).toBe(duration);
  });

  it.each(["", "20", "s", "20 s", "-1s", "1.5s", "20S", "1e3s", "20sec", "1h30m", "9999999999s"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
