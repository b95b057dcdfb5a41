import { expect, test } from "vitest";
import type { Maintenance, MovedWindow, Window } from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import { newTimesOf } from "#service/maintenance/new-times";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(`2026-11-${text}:00Z`));
const window = (from: string, to: string): Window => ({ from: at(from), to: at(to) });

/** From 22:00 to 23:00 of each day. */
function daily(movedEnds: readonly MovedWindow[]): Maintenance {
  const read = readRecurrence("FREQ=DAILY");
  if (!read.ok) throw new Error("the rule is not read");
  return {
    id: 1,
    title: "update",
    message: "update",
    ...window("22T22:00", "22T23:00"),
    recurrence: read.value,
    timeZone: "UTC",
    monitors: [1],
    locations: [],
    movedEnds,
  };
}
const first = window("22T22:00", "22T23:00");
const second = window("23T22:00", "23T23:00");
const longer = { ...window("22T22:00", "23T22:30"), planned: first.to };

test("a window that ends later than people were notified of is news once", () => {
  const plan = daily([longer]);
  const now = at("22T22:30");
  expect(newTimesOf(plan, first, now)).toEqual({
    window: { from: longer.from, to: longer.to },
    before: first,
  });
  expect(newTimesOf(plan, longer, now)).toBeNull();
});

test("the regular window that begins in one that was extended is not announced as a change", () => {
  const plan = daily([longer]);
  expect(newTimesOf(plan, longer, at("23T22:10"))).toBeNull();
  expect(newTimesOf(plan, longer, at("23T22:40"))).toBeNull();
});

test("that regular window is news once if its own end was moved", () => {
  const moved = { ...window("23T22:00", "23T23:45"), planned: second.to };
  const plan = daily([longer, moved]);
  const now = at("23T22:40");
  const news = newTimesOf(plan, longer, now);
  expect(news).toEqual({ window: { from: moved.from, to: moved.to }, before: second });
  expect(newTimesOf(plan, moved, now)).toBeNull();
});

test("a plan with other times is news if its window overlaps the one that people know", () => {
  const plan = { ...daily([]), ...window("22T22:15", "22T23:15") };
  expect(newTimesOf(plan, first, at("22T22:30"))).toEqual({
    window: window("22T22:15", "22T23:15"),
    before: first,
  });
});
