import { expect, test } from "vitest";
import { LogLimit, LogNews } from "#base/log-limit";
import * as limits from "#limits/process-limits";
import { millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { memoryLog } from "../support/twins.ts";

test("a warning is logged once in a span, and the next line of it says how often it was in between", async () => {
  const clock = new FakeClock();
  const log = memoryLog();
  const limit = new LogLimit(clock, log, { linesMax: 1, span: millis(60_000) });
  for (const reason of ["a", "b", "c"]) limit.warn("calls fail", { reason });
  limit.warn("results are dropped", {});
  await clock.advance(60_000);
  limit.warn("calls fail", { reason: "d" });
  await clock.advance(60_000);
  limit.warn("calls fail", { reason: "e" });
  expect(log.said.map(({ message, fields }) => [message, fields])).toEqual([
    ["calls fail", { reason: "a" }],
    ["results are dropped", {}],
    ["calls fail", { reason: "d", "times before": 2 }],
    ["calls fail", { reason: "e" }],
  ]);
});

test("what is left out is reported when its span is over, and once", async () => {
  const clock = new FakeClock();
  const limit = new LogLimit(clock, memoryLog(), { linesMax: 2, span: millis(10_000) });
  expect([1, 2, 3, 4].map(() => limit.admits("changes"))).toEqual([true, true, false, false]);
  expect(limit.takeLeftOut("changes")).toBe(0);
  await clock.advance(10_000);
  expect(limit.takeLeftOut("changes")).toBe(2);
  expect(limit.takeLeftOut("changes")).toBe(0);
  expect(limit.admits("changes")).toBe(true);
});

test("a state is news when it is another than its topic's last", () => {
  const news = new LogNews();
  expect(news.isNews("disk", "failed")).toBe(true);
  expect(news.isNews("disk", "failed")).toBe(false);
  expect(news.isNews("channel", "failed")).toBe(true);
  expect(news.isNews("disk", "saved")).toBe(true);
  expect(news.isNews("disk", "failed")).toBe(true);
});

test("as many topics are remembered as an assignment has remarks, and the oldest is forgotten", () => {
  const news = new LogNews();
  const topics = Array.from(
    { length: limits.logTopicsKeptMax + 1 },
    (_, index) => `topic ${index}`,
  );
  for (const topic of topics) news.isNews(topic, "seen");
  expect(news.isNews("topic 1", "seen")).toBe(false);
  expect(news.isNews("topic 0", "seen")).toBe(true);
});
