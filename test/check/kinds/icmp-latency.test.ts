import { expect, test } from "vitest";
import { fineLatency } from "#check/echo-spread";
import { noPhases } from "#check/outcome";
import { millis, nanos } from "#base/units";

test("a ping has its microseconds if something answered, and else the latency that was reported", () => {
  const phases = { ...noPhases, connect: nanos(699_392_000) };
  const facts = { latency: millis(700), phases };
  const none = { sent: 3, received: 0, least: null, most: null };
  expect(fineLatency({ ...facts, echoes: none })).toBe(700);
  const some = { sent: 3, received: 1, least: nanos(699_392_000), most: nanos(699_392_000) };
  expect(fineLatency({ ...facts, echoes: some })).toBe(699.392);
  expect(fineLatency({ ...facts, echoes: null })).toBe(700);
});
