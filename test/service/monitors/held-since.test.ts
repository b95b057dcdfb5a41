import { expect, test } from "vitest";
import { heldSince } from "#service/monitors/held-since";
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

test("a status has held since the judge's last change", () => {
  expect(heldSince(state("error", 700), [view("error", 700)])).toBe(700);
  expect(heldSince(state("unknown", 700), [])).toBe(700);
  expect(heldSince(state("unknown", 0), [])).toBe(null);
});

test("results of a silence that came later date a status by the checks in a row", () => {
  expect(heldSince(state("error", 900), [view("error", 300)])).toBe(300);
  expect(heldSince(state("degraded", 900), [view("degraded", 300)])).toBe(300);
  expect(heldSince(state("active", 900), [view("success", 300)])).toBe(300);
  // Before the second location passed, the first one alone was no majority.
  expect(heldSince(state("active", 900), [view("success", 300), view("success", 500)])).toBe(500);
});

test("as many locations as decide must have said it without a break", () => {
  const three = [view("error", 300), view("error", 500), view("success", 100)];
  expect(heldSince(state("error", 900), three)).toBe(500);
  // A failed before B did, and was well again before B was: it failed all the time.
  expect(heldSince(state("error", 300), [view("success", 800), view("error", 500)])).toBe(300);
});

test("a monitor is degraded only since no longer enough of its locations failed", () => {
  const eased = [view("degraded", 600), view("degraded", 400), view("error", 200)];
  expect(heldSince(state("degraded", 900), eased)).toBe(600);
  const slow = [view("degraded", 300), view("success", 100)];
  expect(heldSince(state("degraded", 900), slow)).toBe(300);
});
