import { describe, expect, test } from "vitest";
import * as limits from "#limits/pages-limits";
import { epochMillis, hours, minutes } from "#base/units";
import { rangeAround, rangeOf, rangeQuery } from "#service/operator/charts/time-range";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const born = epochMillis(now - hours(48));
const asked = (query: string) => rangeOf(new URLSearchParams(query), now, born);
const custom = (from: string, to: string) => asked(`range=custom&from=${from}&to=${to}`);

describe("the range of a monitor's charts", () => {
  test("is all of a monitor that is younger than a day, and a minute at least", () => {
    const of = (age: number, query = "") => {
      const range = rangeOf(new URLSearchParams(query), now, epochMillis(now - age));
      return [range.name, now - range.from];
    };
    expect(of(hours(3))).toEqual(["all", hours(3)]);
    expect(of(minutes(5))).toEqual(["all", minutes(5)]);
    expect(of(1)).toEqual(["all", minutes(1)]);
    expect(of(hours(3), "range=24h")).toEqual(["24h", hours(3)]);
    expect(of(hours(48), "range=90d")).toEqual(["90d", hours(48)]);
    expect(of(hours(25))).toEqual(["24h", hours(24)]);
    expect(of(hours(400 * 24), "range=all")).toEqual(["all", hours(90 * 24)]);
  });

  test("is a day up to now, unless the address names another one", () => {
    for (const query of ["", "range=2d", "range=", "range=24h&from=2026-11-01T00:00"])
      expect(asked(query)).toMatchObject({ name: "24h", to: now, from: now - hours(24) });
    expect(rangeOf(new URLSearchParams("range=90d"), now, epochMillis(0))).toMatchObject({
      name: "90d",
      source: "days",
      fault: null,
    });
  });

  test("is one's own if the address has its times, also without saying that it is", () => {
    const times = "from=2026-11-22T10:00Z&to=2026-11-22T11:00Z";
    expect(asked(times)).toEqual(asked(`range=custom&${times}`));
    expect(asked(times)).toMatchObject({ name: "custom", to: now - hours(1), fault: null });
    expect(asked("from=2026-11-22T10:00Z")).toMatchObject({
      name: "custom",
      from: now - hours(2),
      to: now,
      fault: null,
    });
    expect(asked("to=2026-11-22T10:00Z").fault?.about).toBe("from");
    expect(asked("range=custom&from=2026-11-22T10:00Z").fault?.about).toBe("to");
  });

  test("of one's own is in UTC, ends by now, and keeps what was typed", () => {
    expect(custom("2026-11-22T10:00", "2026-11-23T00:00")).toEqual({
      name: "custom",
      from: Date.parse("2026-11-22T10:00:00Z"),
      to: now,
      step: minutes(1),
      source: "results",
      typed: { from: "2026-11-22T10:00", to: "2026-11-23T00:00" },
      fault: null,
    });
  });

  test("may name its offset, and an address that is made of it names UTC", () => {
    const range = custom("2026-11-22T11:00%2B01:00", "2026-11-22T10:30:15Z");
    expect(range).toMatchObject({
      from: Date.parse("2026-11-22T10:00:00Z"),
      to: Date.parse("2026-11-22T10:30:15Z"),
      typed: { from: "2026-11-22T10:00", to: "2026-11-22T10:30:15" },
    });
    expect(rangeQuery(range, {})).toBe(
      "range=custom&from=2026-11-22T10%3A00Z&to=2026-11-22T10%3A30%3A15Z",
    );
  });

  test("may name its offset with a plus that the address has as it is", () => {
    expect(custom("2026-11-22T11:00+01:00", "2026-11-22T12:00+01:30")).toMatchObject({
      from: Date.parse("2026-11-22T10:00:00Z"),
      to: Date.parse("2026-11-22T10:30:00Z"),
      fault: null,
    });
  });

  test("is read from what is kept of that time, in no more steps than a chart has room for", () => {
    const ranges = [
      ["2026-11-21T00:00", "2026-11-22T00:00", "results"],
      ["2026-11-09T00:00", "2026-11-15T00:00", "results"],
      ["2026-11-10T00:00", "2026-11-22T00:00", "hours"],
      ["2026-10-01T00:00", "2026-10-01T03:00", "hours"],
      ["2026-09-01T00:00", "2026-11-22T00:00", "hours"],
      ["2025-06-01T00:00", "2026-11-22T00:00", "days"],
    ] as const;
    for (const [from, to, source] of ranges) {
      const range = custom(from, to);
      expect([from, range.source]).toEqual([from, source]);
      expect((range.to - range.from) / range.step).toBeLessThanOrEqual(limits.chartStepsMax);
    }
  });

  test("that cannot be shown says which field is wrong and what it takes, and a day is shown", () => {
    const faults = [
      ["", "2026-11-22T10:00", /^From needs a day and a time/],
      ["2026-11-22T10:00", "tomorrow", /^To needs a day and a time/],
      [
        "2026-11-22T10:00",
        "2026-11-22T10:00",
        /^To must be at least 10 seconds after From\. From was read as 2026-11-22T10:00:00.000Z, and/,
      ],
      ["2026-11-22T10:00", "2026-11-21T10:00", /^To must be at least/],
      [
        "2026-11-23T10:00",
        "2026-11-24T10:00",
        /^From was read as 2026-11-23T10:00:00.000Z, which is in the future: it is 2026-11-22T12:00:00.000Z now\. /,
      ],
      [
        "2020-01-01T00:00",
        "2026-11-22T10:00",
        /^From was read as 2020-01-01T00:00:00.000Z, which is longer ago than results are kept: 760 days/,
      ],
      ["2026-02-31T00:00", "nonsense", /^To needs/],
    ] as const;
    for (const [from, to, words] of faults) {
      const range = custom(from, to);
      expect(range.fault?.words).toMatch(words);
      expect(range.fault?.about).toBe(words.source.startsWith("^To") ? "to" : "from");
      expect(range).toMatchObject({ name: "24h", typed: { from, to } });
    }
    const young = rangeOf(new URLSearchParams("range=custom"), now, epochMillis(now - minutes(19)));
    expect([young.name, now - young.from, young.fault?.words]).toEqual([
      "all",
      minutes(19),
      expect.stringMatching(/^From needs/),
    ]);
  });
});

test("the range around an incident has as much before it, but nothing of before its monitor was there", () => {
  const around = (age: number, least: number, since: number) => {
    const time = { from: epochMillis(now - age), to: now };
    return rangeAround(time, now, { least: minutes(least), born: epochMillis(now - since) });
  };
  const from = (minute: number) => epochMillis(now - minutes(minute));
  expect(around(minutes(3), 5, hours(48))).toMatchObject({ from: from(8), to: now });
  expect(around(minutes(40), 5, hours(48))).toMatchObject({ from: from(60) });
  expect(around(minutes(3), 5, minutes(4))).toMatchObject({ from: from(4) });
  expect(around(1_000, 5, 2_000)).toMatchObject({ from: from(1) });
});
