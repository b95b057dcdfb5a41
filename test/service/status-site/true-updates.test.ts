import { expect, test } from "vitest";
import { trueUpdates } from "#service/status-site/true-updates";
import { windowsAfter } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { filledOf, filledText, skippedFills } from "#service/status-site/view/filled-message";
import { wordsIn } from "#service/status-site/view/words";
import type { FilledIn } from "#service/status-page/page-facts";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-11-${time}:00Z`));

const work = (changes: Partial<MaintenanceRow>): MaintenanceRow => ({
  id: 1,
  title: "Backups",
  message: "",
  from: at("24T21:00"),
  to: at("24T22:30"),
  recurrence: "",
  timeZone: "Europe/Berlin",
  page: "1",
  components: [],
  monitors: [],
  locations: [],
  owner: "",
  notify: false,
  createdAt: at("20T00:00"),
  updatedAt: at("20T00:00"),
  plannedAt: at("20T00:00"),
  earlierPlans: [],
  says: { reminder: false, times: false },
  movedEnds: [],
  ...changes,
});

/** What of one update is left: its kind, or that people wrote it. */
function left(row: MaintenanceRow, said: FilledIn | null, when: string, now: string) {
  const message = said === null ? "Sorry." : filledText(said, wordsIn("en"), row.timeZone);
  const windows = maintenanceOf(row).flatMap((one) => windowsAfter(one, at("01T00:00"), 20));
  return trueUpdates(row, [{ at: at(when), message }], windows, at(now)).map(
    ({ filled }) => filled?.is ?? "own",
  );
}

test("new times are left out once it began early, ends later or is planned anew, and stay if it ends early", () => {
  const row = work({});
  const times = filledOf(row, "times", at("22T12:00"));
  const leftOf = (changes: Partial<MaintenanceRow>, now: string) =>
    left(work(changes), times, "22T12:00", now);
  expect(leftOf({}, "22T13:00")).toEqual(["times"]);
  expect(leftOf({ from: at("22T13:00"), to: at("22T14:30") }, "22T13:10")).toEqual([]);
  expect(leftOf({ from: at("22T13:00"), to: at("22T14:30") }, "30T13:10")).toEqual([]);
  expect(leftOf({ to: at("24T23:30") }, "24T21:10")).toEqual([]);
  expect(leftOf({ to: at("24T21:30") }, "24T22:00")).toEqual(["times"]);
  expect(
    left(work({ from: at("25T21:00"), to: at("25T22:00") }), null, "22T12:00", "22T13:00"),
  ).toEqual(["own"]);
});

test("that it has begun stays once it is over, and that it is over once it is, but not if it is planned anew", () => {
  const row = work({ from: at("22T13:00"), to: at("22T14:30") });
  const begun = filledOf(row, "begun", at("22T13:01"));
  const over = { is: "over" } as const;
  const ended = work({ from: at("22T13:00"), to: at("22T13:20") });
  expect(left(ended, begun, "22T13:01", "22T13:30")).toEqual(["begun"]);
  expect(left(ended, over, "22T13:21", "22T13:30")).toEqual(["over"]);
  expect(left(work({}), begun, "22T13:01", "22T13:30")).toEqual([]);
  expect(left(work({}), over, "22T13:21", "22T13:30")).toEqual([]);
});

test("a date that does not take place is left out once the work is on other days", () => {
  const begin = at("24T21:00");
  const movedEnds = [{ from: begin, planned: at("24T22:30"), to: begin }];
  const weekly = work({ recurrence: "FREQ=WEEKLY", movedEnds });
  const [skipped = null] = skippedFills(weekly);
  expect(left(weekly, skipped, "22T12:00", "22T13:00")).toEqual(["skipped"]);
  const moved = { from: at("26T21:00"), to: at("26T22:30"), recurrence: "FREQ=WEEKLY" };
  expect(left(work(moved), skipped, "22T12:00", "22T13:00")).toEqual([]);
});
