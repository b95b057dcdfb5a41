import { expect, test } from "vitest";
import { heldSince, placeSince } from "#service/monitors/held-since";
import type { MonitorState } from "#service/monitors/judge";
import type { View } from "#service/monitors/view";
import type { ResultStatus } from "#check/verdict";
import { epochMillis } from "#base/units";

const state = (status: MonitorState["status"], since: number): MonitorState => ({
  status,
  since: epochMillis(since),
});
const view = (status: ResultStatus, since: number): View => ({
  slot: epochMillis(1_000),
  status,
  since: epochMillis(since),
});

const at = (minutes: number | null): ReturnType<typeof epochMillis> | null =>
  minutes === null ? null : epochMillis(minutes);

test("a status has held since the judge's last change", () => {
  expect(heldSince(state("error", 700), [view("error", 700)], at(700))).toBe(700);
  expect(heldSince(state("unknown", 700), [], null)).toBe(700);
  expect(heldSince(state("unknown", 0), [], null)).toBe(null);
});

test("a monitor that passes after a pause, a silence or without a location does so since the judge says it", () => {
  expect(heldSince(state("active", 721), [view("success", 1)], null)).toBe(721);
  expect(heldSince(state("active", 721), [view("success", 1)], at(1))).toBe(721);
  const two = [view("success", 1), view("success", 1)];
  expect(heldSince(state("active", 540), two, at(540))).toBe(540);
});

test("a failure began no earlier than its incident, which a pause ends", () => {
  expect(heldSince(state("error", 721), [view("error", 1)], null)).toBe(721);
  expect(heldSince(state("error", 721), [view("error", 1)], at(721))).toBe(721);
  expect(heldSince(state("degraded", 721), [view("degraded", 1)], at(600))).toBe(600);
});

test("results of a silence that came later date a failure by the checks in a row", () => {
  expect(heldSince(state("error", 900), [view("error", 300)], at(300))).toBe(300);
  expect(heldSince(state("degraded", 900), [view("degraded", 300)], at(100))).toBe(300);
});

test("as many locations as decide must have said it without a break", () => {
  const three = [view("error", 300), view("error", 500), view("success", 100)];
  expect(heldSince(state("error", 900), three, at(300))).toBe(500);
  // A failed before B did, and was well again before B was: it failed all the time.
  const two = [view("success", 800), view("error", 500)];
  expect(heldSince(state("error", 300), two, at(300))).toBe(300);
});

test("a monitor is degraded only since no longer enough of its locations failed", () => {
  const eased = [view("degraded", 600), view("degraded", 400), view("error", 200)];
  expect(heldSince(state("degraded", 900), eased, at(200))).toBe(600);
  const slow = [view("degraded", 300), view("success", 100)];
  expect(heldSince(state("degraded", 900), slow, at(200))).toBe(300);
});

test("a location has passed for no longer than the monitor, unless it passed while another failed", () => {
  const since = (held: number | null, ...all: View[]) =>
    all.map((one) => placeSince(one, all, at(held)));
  // After a silence of all of them.
  expect(since(721, view("success", 1))).toEqual([721]);
  expect(since(721, view("success", 1), view("success", 500))).toEqual([721, 721]);
  // The second was the last to pass again.
  expect(since(721, view("success", 1), view("success", 721))).toEqual([1, 721]);
  expect(since(300, view("success", 1), view("error", 900))).toEqual([1, 900]);
  expect(since(null, view("success", 1))).toEqual([1]);
  expect(placeSince(view("success", 1), [], at(721))).toBe(1);
});
