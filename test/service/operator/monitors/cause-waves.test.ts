import { expect, test } from "vitest";
import { byCause } from "#service/operator/monitors/cause-groups";
import type { PicturedIncident, PicturedMonitor } from "#service/operator/picture";
import { epochMillis, millis, minutes } from "#base/units";

let made = 0;
/** A monitor of one server that answers 500 from this minute on. */
function failing(
  minute: number,
  incident: Partial<PicturedIncident> = {},
  changes: Partial<PicturedMonitor> = {},
): PicturedMonitor {
  made += 1;
  const since = epochMillis(minutes(minute));
  const sight = { location: 1, name: "office", status: "error", slot: null } as const;
  const cause = "1 unexpected_status assertion by server 500 http://shop";
  const message = "Request failed with status code 500";
  return {
    id: made,
    name: `at ${minute}`,
    kind: "http",
    target: "http://shop/",
    labels: {},
    owner: "",
    period: millis(60_000),
    status: "error",
    since,
    lastCheckedAt: null,
    seenBy: [{ ...sight, since: null, stale: false }],
    reason: { code: "unexpected_status", phase: "assertion", message, statusCode: 500 },
    unread: false,
    unheard: false,
    incident: { number: made, since, cause, acknowledged: false, flapping: null, ...incident },
    recovery: null,
    latency: null,
    usual: null,
    medianToday: null,
    days: [],
    ...changes,
  };
}

const rows = (...monitors: readonly PicturedMonitor[]): readonly (readonly string[])[] =>
  byCause(monitors).map((row) =>
    (row.kind === "cause" ? row.monitors : [row.monitor]).map(({ name }) => name),
  );

const flapping = (side: "up" | "down", acknowledged = true) => {
  const flaps = { began: epochMillis(0), times: 6 };
  const up = { status: "active", reason: null } as const;
  const incident = { flapping: side, flaps, acknowledged, since: epochMillis(minutes(17)) };
  return failing(0, incident, side === "up" ? up : {});
};

test("a new outage is a row by itself while what began long before it only flaps, whether that is up or down", () => {
  for (const side of ["up", "down"] as const)
    for (const acknowledged of [true, false])
      expect(rows(flapping(side, acknowledged), failing(18))).toEqual([["at 18"], ["at 0"]]);
});

test("a new outage is a row by itself while all that began long before it pass again", () => {
  const passes = failing(0, {}, { status: "active", reason: null });
  expect(rows(passes, { ...passes }, failing(18), failing(19))).toEqual([
    ["at 18", "at 19"],
    ["at 0", "at 0"],
  ]);
  expect(rows(passes, failing(1), failing(18))).toEqual([["at 0", "at 1", "at 18"]]);
});

test("a new outage is a row by itself while someone has acknowledged all that began long before it, and joins it then", () => {
  const known = { acknowledged: true };
  expect(rows(failing(0, known), failing(1, known), failing(18))).toEqual([
    ["at 0", "at 1"],
    ["at 18"],
  ]);
  expect(rows(failing(0, known), failing(1), failing(18))).toEqual([["at 0", "at 1", "at 18"]]);
  expect(rows(failing(0, known), failing(18, known))).toEqual([["at 0", "at 18"]]);
});

test("what begins within minutes is one outage, though someone has acknowledged the first of it or it passes again", () => {
  const up = { status: "active", reason: null } as const;
  expect(rows(failing(0, { acknowledged: true }), failing(5))).toEqual([["at 0", "at 5"]]);
  expect(rows(failing(0, { acknowledged: true }), failing(6))).toEqual([["at 0"], ["at 6"]]);
  expect(rows(failing(0, {}, up), failing(5), failing(10))).toEqual([["at 0", "at 5", "at 10"]]);
  // It is checked every ten minutes, and so may have failed since the beginning.
  const seldom = failing(10, {}, { period: minutes(10) });
  expect(rows(failing(0, { acknowledged: true }), seldom)).toEqual([["at 0", "at 10"]]);
});
