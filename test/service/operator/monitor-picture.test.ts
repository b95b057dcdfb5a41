import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { type HeardView, judge, type MonitorState } from "#service/monitors/judge";
import type { LocatedView } from "#service/monitors/judged-monitor";
import { rhythmOf } from "#service/monitors/view";
import { monitorPicture } from "#service/operator/monitor-picture";
import { locationId, monitorId } from "#service/store/ids";
import type { ResultStatus } from "#check/verdict";
import { epochMillis, type EpochMillis, millis } from "#base/units";

const minute = (count: number): EpochMillis => epochMillis(count * 60_000);
const definition = { ...tcpDefaults, name: "db", uri: "db.test:5432", periodicity: "1m" };

const seen = (status: ResultStatus, since: number, slot: number, location = 1): LocatedView => ({
  location: locationId(location),
  slot: minute(slot),
  status,
  since: minute(since),
  heard: true,
  latency: millis(1),
  recent: [status],
  blindSlot: null,
});

/** What is judged as minutes pass, each time of what is seen then, and since when the page says it. */
function shownSince(
  ...looks: readonly (readonly [at: number, views: readonly LocatedView[], active?: boolean])[]
): readonly [status: string, judged: number, shown: number | null] {
  let state: MonitorState = { status: "unknown", since: epochMillis(0) };
  for (const [at, views, active = true] of looks)
    state = judge(
      state,
      views satisfies readonly HeardView[],
      { ...rhythmOf(definition), active },
      minute(at),
    ).state;
  const [at, views] = looks.at(-1) ?? [0, []];
  const row = {
    id: monitorId(1),
    uid: "",
    owner: "",
    labels: {},
    definition: { ...definition, active: true },
    locations: views.map(({ location }) => location),
    revision: 1,
    createdAt: minute(0),
    updatedAt: minute(0),
  };
  const monitor = {
    row,
    judgement: { state, events: [], againAt: null },
    views,
    certificate: { span: null, ending: null, nextAt: null, isWhy: false },
    lastCheckedAt: null,
    generation: 1,
    isUnread: false,
  };
  const none = new Map<never, never>();
  const facts = {
    usual: none,
    today: none,
    days: none,
    places: none,
    incidents: none,
    unheard: new Set<number>(),
  };
  const { since } = monitorPicture(monitor, facts, null, minute(at));
  return [state.status, state.since / 60_000, since === null ? null : since / 60_000];
}

test("a monitor that is checked again after a pause is up since its first check, not since before the pause", () => {
  const up = seen("success", 1, 600);
  expect(shownSince([600, [up]], [601, [up], false], [721, [seen("success", 1, 721)]])).toEqual([
    "active",
    721,
    721,
  ]);
});

test.each(["success", "degraded", "error"] as const)(
  "a monitor whose location was silent counts %s from the first check that came again",
  (status) => {
    const [, judged, shown] = shownSince(
      [600, [seen(status, 1, 600)]],
      [700, [{ ...seen(status, 1, 600), heard: false }]],
      [721, [seen(status, 1, 721)]],
    );
    expect([judged, shown]).toEqual([721, 721]);
  },
);

test("an hour of errors does not count as up once the locations that saw them are removed", () => {
  const well = (slot: number) => [seen("success", 1, slot, 1), seen("success", 1, slot, 2)];
  const ill = [seen("error", 540, 600, 3), seen("error", 540, 600, 4)];
  const [status, judged, shown] = shownSince([600, [...well(600), ...ill]], [600, well(600)]);
  expect([status, judged, shown]).toEqual(["active", 540, 540]);
});

test("a monitor that was never judged has held no state", () => {
  expect(shownSince([1, []])).toEqual(["unknown", 0, null]);
});
