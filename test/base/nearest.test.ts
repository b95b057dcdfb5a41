import { describe, expect, it } from "vitest";
import { nearest } from "#base/nearest";

describe("the nearest name", () => {
  const names = ["agent", "check", "service", "up", "apply", "http_monitors"];
  it.each([
    ["agnet", "agent"],
    ["chek", "check"],
    ["SERVICE", "service"],
    ["servcie", "service"],
    ["htp_monitor", "http_monitors"],
    ["upp", "up"],
  ])("of %s is %s", (word, expected) => {
    expect(nearest(word, names)).toBe(expected);
  });

  it.each(["", "frobnicate", "xy", "a".repeat(10_000)])("of %j is none", (word) => {
    expect(nearest(word, names)).toBeNull();
  });

  it("of no candidates is none", () => {
    expect(nearest("agent", [])).toBeNull();
  });
});
