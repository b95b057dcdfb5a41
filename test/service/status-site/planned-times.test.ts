import { expect, test } from "vitest";
import { plannedTimes } from "#service/status-site/planned-times";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-11-${time}:00Z`));
const now = at("29T12:00");
const since = at("01T00:00");

const work = (changes: Partial<MaintenanceRow>): MaintenanceRow => ({
  id: 1,
  title: "Upgrade",
  message: "",
  from: at("29T02:00"),
  to: at("29T04:00"),
  recurrence: "",
  timeZone: "UTC",
  page: "1",
  components: ["1"],
  monitors: [],
  locations: [],
  owner: "",
  notify: false,
  createdAt: at("28T00:00"),
  updatedAt: at("28T00:00"),
  plannedAt: at("28T00:00"),
  earlierPlans: [],
  says: { reminder: false, times: false },
  movedEnds: [],
  ...changes,
});
const first = {
  from: at("29T02:00"),
  to: at("29T04:00"),
  recurrence: "",
  timeZone: "UTC",
  page: "1",
  components: ["1"],
  since: at("28T00:00"),
  movedEnds: [],
};
const repeating = {
  from: at("20T02:00"),
  to: at("20T03:00"),
  recurrence: "FREQ=DAILY",
};
/** The time of the 29th, until another end. */
const endingAt = (to: EpochMillis) => [{ from: at("29T02:00"), to, planned: at("29T03:00") }];

const spansOf = (changes: Partial<MaintenanceRow>): readonly string[] =>
  plannedTimes(work(changes), since, now).map(
    ({ from, to, components }) =>
      `${[from, to].map((one) => new Date(one).toISOString().slice(8, 16)).join(" – ")} of ${components.join()}`,
  );

test.each([
  ["that was planned before counts whole", {}, ["29T02:00 – 29T04:00 of 1"]],
  [
    "that was saved after it began counts from then",
    { plannedAt: at("29T02:50") },
    ["29T02:50 – 29T04:00 of 1"],
  ],
  ["that was saved after it ended does not count", { plannedAt: at("29T05:00") }, []],
  [
    "of a database that did not keep this counts whole",
    { plannedAt: epochMillis(0) },
    ["29T02:00 – 29T04:00 of 1"],
  ],
  ["that is to come does not count yet", { from: at("29T13:00"), to: at("29T14:00") }, []],
  [
    "that is put off while it runs counts as each plan held",
    {
      to: at("29T06:00"),
      plannedAt: at("29T03:00"),
      earlierPlans: [{ ...first, until: at("29T03:00") }],
    },
    ["29T02:00 – 29T03:00 of 1", "29T03:00 – 29T06:00 of 1"],
  ],
  [
    "whose begin is moved into the past counts as it was planned",
    {
      from: at("20T00:00"),
      plannedAt: at("29T03:00"),
      earlierPlans: [{ ...first, until: at("29T03:00") }],
    },
    ["29T02:00 – 29T03:00 of 1", "29T03:00 – 29T04:00 of 1"],
  ],
  [
    "that gets a component counts for it from then",
    {
      components: ["1", "2"],
      plannedAt: at("29T03:00"),
      earlierPlans: [{ ...first, until: at("29T03:00") }],
    },
    ["29T02:00 – 29T03:00 of 1", "29T03:00 – 29T04:00 of 1,2"],
  ],
  [
    "that repeats counts each time since it was saved",
    repeating,
    ["28T02:00 – 28T03:00 of 1", "29T02:00 – 29T03:00 of 1"],
  ],
  [
    "that repeats counts until this time was ended, and all of the other times",
    { ...repeating, movedEnds: endingAt(at("29T02:20")) },
    ["28T02:00 – 28T03:00 of 1", "29T02:00 – 29T02:20 of 1"],
  ],
  [
    "that repeats counts until the end to which this time was extended",
    { ...repeating, movedEnds: endingAt(at("29T05:00")) },
    ["28T02:00 – 28T03:00 of 1", "29T02:00 – 29T05:00 of 1"],
  ],
  [
    "whose early end was taken back does not count in between",
    {
      ...repeating,
      plannedAt: at("29T02:30"),
      earlierPlans: [
        {
          ...first,
          ...repeating,
          movedEnds: endingAt(at("29T02:20")),
          until: at("29T02:30"),
        },
      ],
    },
    ["28T02:00 – 28T03:00 of 1", "29T02:00 – 29T02:20 of 1", "29T02:30 – 29T03:00 of 1"],
  ],
])("planned work %s", (_, changes, spans) => {
  expect(spansOf(changes)).toEqual(spans);
});
