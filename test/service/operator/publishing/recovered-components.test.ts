import { expect, test } from "vitest";
import type { PicturedMonitor } from "#service/operator/picture";
import { recoveredComponents } from "#service/operator/publishing/recovered-components";
import type { Impact } from "#service/status-page/report-words";
import type { ComponentRow, ReportRow } from "#service/store/page-store";
import { epochMillis, millis } from "#base/units";

const now = epochMillis(100);
const begun = 50;

const component = (id: number, monitor: number | null): ComponentRow => ({
  id,
  page: 1,
  name: `c${id}`,
  description: "",
  order: id,
  group: null,
  groupOrder: 0,
  createdAt: epochMillis(0),
  updatedAt: epochMillis(0),
  monitor: monitor as ComponentRow["monitor"],
});

const monitor = (id: number, changes: Partial<PicturedMonitor>): PicturedMonitor => ({
  id,
  name: `m${id}`,
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: millis(60_000),
  status: "active",
  since: epochMillis(60),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
  ...changes,
});

/** Of components 1 and 2; the newest update first. */
const reportOf = (...updates: readonly (readonly [number, Impact])[]): ReportRow => ({
  id: 1,
  page: 1,
  title: "Down",
  status: "investigating",
  components: [1, 2],
  updates: updates.map(([at, impact], index) => ({
    id: index + 1,
    status: "investigating",
    at: epochMillis(at),
    message: "",
    impacts: [1, 2].map((one) => ({ component: one, impact })),
    createdAt: epochMillis(at),
  })),
  createdAt: epochMillis(begun),
  updatedAt: epochMillis(begun),
});
const report = reportOf([begun, "major_outage"]);

const well = monitor(1, {});
const alsoWell = monitor(2, { since: epochMillis(70) });
const early = { since: epochMillis(begun - 1) };
const paused = { status: "inactive", since: null } as const;
const incident = {
  number: 1,
  cause: "",
  since: epochMillis(55),
  acknowledged: false,
  flapping: null,
};

test.each([
  ["all passed since", report, [well, alsoWell], { ids: [1, 2], since: 70, isAll: true }],
  ["passed before the report began", report, [monitor(1, early), monitor(2, early)], null],
  [
    "one passed before",
    report,
    [monitor(1, early), alsoWell],
    { ids: [2], since: 70, isAll: false },
  ],
  ["paused", report, [monitor(1, paused), monitor(2, paused)], null],
  ["incident still open", report, [monitor(1, { incident }), monitor(2, { incident })], null],
  [
    "some fail",
    report,
    [well, monitor(2, { status: "error" })],
    { ids: [1], since: 60, isAll: false },
  ],
  [
    "a later update leaves the beginning",
    reportOf([80, "degraded_performance"], [begun, "major_outage"]),
    [well, alsoWell],
    { ids: [1, 2], since: 70, isAll: true },
  ],
  [
    "called impaired anew",
    reportOf([80, "major_outage"], [75, "operational"], [begun, "major_outage"]),
    [well, alsoWell],
    null,
  ],
] as const)("%s", (_, said, monitors, expected) => {
  const found = recoveredComponents(said, [component(1, 1), component(2, 2)], monitors, now);
  const shown = found && { ...found, ids: found.components.map(({ id }) => id) };
  if (expected === null) expect(shown).toBeNull();
  else expect(shown).toMatchObject(expected);
});

test("a component without a monitor has not recovered, and others do while it is impaired", () => {
  const found = recoveredComponents(report, [component(1, 1), component(2, null)], [well], now);
  expect(found).toMatchObject({ components: [{ id: 1 }], isAll: false });
  expect(recoveredComponents(report, [component(2, null)], [well], now)).toBeNull();
});
