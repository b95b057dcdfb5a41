import { expect, test } from "vitest";
import { fineLatency } from "#check/echo-spread";
import { noPhases } from "#check/outcome";
import { millis, nanos } from "#base/units";

test("a latency below ten milliseconds has the microseconds of the phases that it is the sum of", () => {
  const phases = { ...noPhases, connect: nanos(412_000), wait: nanos(1_266_000) };
  const known = { phases, echoes: null };
  expect(fineLatency({ ...known, latency: millis(2) })).toBe(1.678);
  const read = { ...known, phases: { ...phases, receive: nanos(4_000_000) } };
  expect(fineLatency({ ...read, latency: millis(6) })).toBe(5.678);
  // Its monitor has it end with the head of the answer.
  expect(fineLatency({ ...read, latency: millis(2) })).toBe(1.678);
  // Those are not the phases of it, or it is long.
  expect(fineLatency({ ...known, latency: millis(7) })).toBe(7);
  const long = { ...noPhases, wait: nanos(10_400_000) };
  expect(fineLatency({ ...known, phases: long, latency: millis(10) })).toBe(10);
});

test("a ping has its microseconds if something answered, and else the latency that was reported", () => {
  const phases = { ...noPhases, connect: nanos(699_392_000) };
  const facts = { latency: millis(700), phases };
  const none = { sent: 3, received: 0, least: null, most: null };
  expect(fineLatency({ ...facts, echoes: none })).toBe(700);
  const some = { sent: 3, received: 1, least: nanos(699_392_000), most: nanos(699_392_000) };
  expect(fineLatency({ ...facts, echoes: some })).toBe(699.392);
  expect(fineLatency({ ...facts, echoes: null })).toBe(700);
});
