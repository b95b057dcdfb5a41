import { expect, test } from "vitest";
import { newIncident } from "#service/alerting/incident-machine";
import { oftenWords } from "#service/operator/incidents/times-words";
import { after, epochMillis, minutes } from "#base/units";

const noon = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const wellAt = (minute: number) => ({
  from: after(noon, minutes(minute)),
  to: after(noon, minutes(minute + 1)),
});

test.each([
  ["monitor", "error", [], null],
  ["monitor", "error", [wellAt(2)], "down twice"],
  ["monitor", "degraded", [wellAt(2), wellAt(5)], "degraded 3 times"],
  ["monitor", "degraded", [{ ...wellAt(2), was: "error" }], "down once, degraded once"],
  [
    "monitor",
    "degraded",
    [
      { ...wellAt(2), was: "error" },
      { ...wellAt(5), was: "degraded" },
    ],
    "down once, degraded twice",
  ],
  ["location", "error", [wellAt(2)], "in trouble twice"],
] as const)("an incident of a %s in state %s: %j is said as %j", (kind, severity, well, words) => {
  const incident = newIncident({ kind, id: 1 }, severity, noon, noon);
  expect(oftenWords({ ...incident, number: 1, well })).toBe(words);
});
