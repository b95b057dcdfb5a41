import { describe, expect, it } from "vitest";
import { parseDuration, shownDuration, typedDuration } from "#base/duration";

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

describe("a duration that is typed into a form", () => {
  it.each([
    ["500ms", 500],
    ["5s", 5000],
    [" 5 s ", 5000],
    ["5 S", 5000],
    ["0.5s", 500],
    ["0,5 sec", 500],
    ["1.1 s", 1100],
    ["0.25 ms", 0.25],
    ["1m", 60_000],
    ["1 min 30 s", 90_000],
    ["1h30m", 5_400_000],
    ["2 hours", 7_200_000],
    ["1 day", 86_400_000],
  ])("%j is %d ms", (text, duration) => {
    expect(typedDuration(text)).toBe(duration);
  });

  it.each(["", "5", "s", "soon", "-1s", "5 s and more", "1 s 2", "5 parsecs", "constructor"])(
    "%j is none",
    (text) => {
      expect(typedDuration(text)).toBeNull();
    },
  );

  it.each([
    [0, "0 ms"],
    [0.5, "0.5 ms"],
    [1500, "1500 ms"],
    [45_000, "45 s"],
    [90_000, "90 s"],
    [120_000, "2 min"],
    [14_400_000, "4 h"],
  ])("%d ms come back as %s", (duration, text) => {
    expect(shownDuration(duration)).toBe(text);
    expect(typedDuration(text)).toBe(duration);
  });
});
