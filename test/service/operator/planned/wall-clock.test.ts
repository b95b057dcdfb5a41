import { describe, expect, test } from "vitest";
import { instantOf, wallClock } from "#service/operator/planned/wall-clock";
import { epochMillis } from "#base/units";

const at = (text: string) => epochMillis(Date.parse(text));
const berlin = "Europe/Berlin";

describe("a time of a clock on a wall", () => {
  test("is the same time of day before and after the clocks change", () => {
    expect(instantOf("from", "2026-10-24T22:00", berlin, null)).toBe(at("2026-10-24T20:00:00Z"));
    expect(instantOf("from", "2026-10-26T22:00", berlin, null)).toBe(at("2026-10-26T21:00:00Z"));
    expect(wallClock(at("2026-10-26T21:00:00Z"), berlin)).toBe("2026-10-26T22:00");
  });
  test("is refused if the clocks skip it, with the next that there is", () => {
    expect(() => instantOf("from", "2026-03-29T02:30", berlin, null)).toThrow(
      "from does not exist in Europe/Berlin, because the clocks skip it: take 03:30",
    );
    expect(instantOf("from", "2026-03-29T03:00", berlin, null)).toBe(at("2026-03-29T01:00:00Z"));
  });
  test("is the first of two if it comes twice, unless the second was saved", () => {
    const second = at("2026-10-25T01:30:00Z");
    expect(wallClock(second, berlin)).toBe("2026-10-25T02:30");
    expect(instantOf("to", "2026-10-25T02:30", berlin, null)).toBe(at("2026-10-25T00:30:00Z"));
    expect(instantOf("to", "2026-10-25T02:30", berlin, second)).toBe(second);
  });
  test("has quarters of an hour if its zone has them", () => {
    expect(instantOf("from", "2026-06-01T12:00", "Asia/Kathmandu", null)).toBe(
      at("2026-06-01T06:15:00Z"),
    );
  });
  test.each(["", "tomorrow", "2026-13-01T10:00", "2026-02-30T10:00"])("is not %j", (text) => {
    expect(() => instantOf("from", text, berlin, null)).toThrow(
      "from must be a day and a time, for example 2026-08-12T14:00",
    );
  });
});
