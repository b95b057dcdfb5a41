import { expect, test } from "vitest";
import type { Maintenance, MovedWindow, Window } from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import { isStale, momentsDue } from "#service/alerting/work-moments";
import * as limits from "#limits/status-limits";
import { epochMillis, type EpochMillis, minutes } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(`2026-11-${text}:00Z`));
const window = (from: string, to: string): Window => ({ from: at(from), to: at(to) });
const first = window("23T22:00", "23T23:00");
const all = { reminder: true, times: true };

function work(rule: string, movedEnds: readonly MovedWindow[] = []): Maintenance {
  const read = rule === "" ? null : readRecurrence(rule);
  if (read?.ok === false) throw new Error("the rule is not read");
  const recurrence = read === null ? null : read.value;
  const facts = { id: 1, title: "t", message: "m", timeZone: "UTC", monitors: [1], locations: [] };
  return { ...facts, ...first, recurrence, movedEnds };
}

/** What is due at an instant of work that was planned the day before. */
const dueAt = (now: EpochMillis, plan = work(""), changes: object = {}) =>
  momentsDue(
    { plan, says: all, plannedAt: at("22T12:00"), updatedAt: at("22T12:00"), ...changes },
    now,
  ).map(({ is, at: when }) => [is, when]);

const late = limits.workMomentLateMax;
const soon = epochMillis(first.from - limits.workRemindedBefore);

test("a reminder is due an hour before work begins, and then its beginning and its end are", () => {
  expect(dueAt(epochMillis(soon - 1))).toEqual([]);
  expect(dueAt(soon)).toEqual([["reminder", soon]]);
  expect(dueAt(first.from)).toEqual([["begun", first.from]]);
  expect(dueAt(first.to)).toEqual([["ended", first.to]]);
});

test("what is later than some minutes is not said, and neither is a beginning once the work is over", () => {
  for (const moment of [soon, first.from, first.to]) {
    expect(dueAt(epochMillis(moment + late - 1))).toHaveLength(1);
    expect(dueAt(epochMillis(moment + late))).toEqual([]);
  }
  const short = { ...work(""), to: epochMillis(first.from + minutes(2)) };
  expect(dueAt(epochMillis(first.from + minutes(3)), short)).toEqual([["ended", short.to]]);
});

test("a person says which of them are sent", () => {
  const says = { reminder: false, times: true };
  expect(dueAt(soon, work(""), { says })).toEqual([]);
  expect(dueAt(first.from, work(""), { says: { reminder: true, times: false } })).toEqual([]);
});

test("times that were planned after a moment were announced with it, and an end by hand is for its person to say", () => {
  expect(dueAt(soon, work(""), { plannedAt: epochMillis(soon + 1) })).toEqual([]);
  expect(dueAt(first.from, work(""), { plannedAt: first.from })).toEqual([]);
  expect(dueAt(first.to, work(""), { updatedAt: first.to })).toEqual([]);
});

test("work each week has all of them each time, and work that repeats more often only at its first time", () => {
  const weekly = work("FREQ=WEEKLY;BYDAY=MO");
  const often = work("FREQ=WEEKLY;BYDAY=MO,TH");
  expect(dueAt(at("30T22:00"), weekly)).toEqual([["begun", at("30T22:00")]]);
  expect(dueAt(first.from, often)).toEqual([["begun", first.from]]);
  expect(dueAt(at("26T22:00"), often)).toEqual([]);
  expect(dueAt(at("24T22:00"), work("FREQ=DAILY"))).toEqual([]);
});

test("a moment is stale once what it says is over, or is planned otherwise", () => {
  const begun = { is: "begun", window: first } as const;
  const reminder = { is: "reminder", window: first } as const;
  const ended = { is: "ended", window: first } as const;
  expect(isStale(reminder, work(""), soon)).toBe(false);
  expect(isStale(reminder, work(""), first.from)).toBe(true);
  expect(isStale(begun, work(""), first.from)).toBe(false);
  expect(isStale(begun, work(""), first.to)).toBe(true);
  expect(isStale(ended, work(""), first.to)).toBe(false);
  const moved = { ...work(""), ...window("24T22:00", "24T23:00") };
  expect(isStale(begun, moved, first.from)).toBe(true);
  const longer = { ...work(""), to: epochMillis(first.to + minutes(30)) };
  expect(isStale(ended, longer, first.to)).toBe(true);
});
