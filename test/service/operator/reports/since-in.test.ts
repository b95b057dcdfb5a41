import { expect, test } from "vitest";
import { httpDefaults, type MonitorDefinition } from "#check/definition";
import { sinceIn } from "#service/operator/reports/uptime-report";
import { after, epochMillis, hours, millis, minutes, seconds } from "#base/units";

const from = epochMillis(Date.parse("2026-11-01T00:00:00Z"));
const period = { from, to: after(from, hours(48)) };
const definition: MonitorDefinition = {
  ...httpDefaults,
  name: "shop",
  url: "https://shop.test/",
  periodicity: "30s",
  active: true,
};
const madeAfter = (length: number) => ({ createdAt: after(from, millis(length)), definition });

test.each([
  ["has all of the period", madeAfter(0), hours(48), null],
  ["has what came after it", madeAfter(minutes(30)), minutes(48 * 60 - 30), minutes(30)],
  [
    "has what came after it, and its check stands for its period",
    madeAfter(minutes(30)),
    millis(minutes(48 * 60 - 30) + seconds(30)),
    minutes(30),
  ],
  ["has older results from elsewhere", madeAfter(minutes(30)), hours(48), null],
  ["has older results from elsewhere, and was made later", madeAfter(hours(30)), hours(48), null],
])(
  "a monitor that was made in the period's first hour or later and %s",
  (_name, row, known, since) => {
    const expected = since === null ? null : after(from, millis(since));
    expect(sinceIn(period, row, millis(known))).toBe(expected);
  },
);
