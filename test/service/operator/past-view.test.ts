import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { latencySvg } from "#service/operator/past-view";
import type { PicturedMonitor, Sight } from "#service/operator/picture";
import { epochMillis, millis, minutes } from "#base/units";

const at = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const sight = (location: number, name: string): Sight => ({
  location,
  name,
  status: "active",
  slot: at,
  since: at,
  stale: false,
});
const monitor: PicturedMonitor = {
  id: 1,
  name: "shop",
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: minutes(1),
  status: "active",
  since: at,
  lastCheckedAt: at,
  seenBy: [sight(1, "Office"), sight(2, "Warehouse")],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};

/** A chart of an hour in which the second location alone has checked. */
const chartOf = (location: { readonly location?: number | null }): string => {
  const span = { from: epochMillis(at - minutes(60)), to: at };
  const point = { slot: at, status: "success", latency: millis(20), uncertain: false } as const;
  const range = { name: "1h", step: minutes(1), source: "results", fault: null } as const;
  const story = {
    span,
    steps: [],
    phases: null,
    points: [{ ...point, failure: null, errorBar: millis(0), location: 2 }],
    echoes: null,
    newest: [],
    gaps: [],
    lastFailed: null,
    lastPassed: null,
  };
  const rest = {
    compared: [],
    formerly: [],
    marks: [],
    definition: { ...tcpDefaults, name: "shop", uri: "db:5432" },
  };
  const typed = { from: "", to: "" };
  return latencySvg(
    { ...rest, monitor, story, range: { ...range, ...span, typed }, ...location },
    "",
  ).text;
};

test("checks have the colour of their location in the key, also if another one has made none", () => {
  expect(chartOf({ location: null })).toContain("place-1");
});

test("a chart of one location, and one without a key, have one colour", () => {
  for (const chart of [chartOf({ location: 2 }), chartOf({})])
    expect(chart).not.toContain("place-");
});
