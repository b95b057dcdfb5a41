import { expect, test } from "vitest";
import { TestPace } from "#service/channels/test-pace";
import { testNotificationsMax } from "#limits/alerts-limits";
import { FakeClock } from "../../support/fake-clock.ts";

test("what took a test waits ten seconds for the next, whoever else or whatever else is tested meanwhile", async () => {
  const clock = new FakeClock();
  const pace = new TestPace(clock);
  pace.enter("ann", "slack");
  expect(pace.waitFor("ann", "slack")).toBe(10_000);
  expect(pace.waitFor("ann", "mail")).toBe(0);
  expect(pace.waitFor("bob", "slack")).toBe(0);
  await clock.advance(3_000);
  expect(() => pace.enter("ann", "slack")).toThrow(
    "the same test was sent just now: send it again in 7 s",
  );
  await clock.advance(7_000);
  pace.enter("ann", "slack");
});

test("what failed waits for nothing, and a minute has room for ten tests of a caller", async () => {
  const clock = new FakeClock();
  const pace = new TestPace(clock);
  for (let count = 0; count < testNotificationsMax; count += 1) {
    pace.enter("ann", "slack");
    pace.failed("ann", "slack");
    await clock.advance(1_000);
  }
  expect(() => pace.enter("ann", "slack")).toThrow(
    "10 tests were sent within a minute: send it again in 50 s",
  );
  pace.enter("bob", "slack");
  await clock.advance(50_000);
  pace.enter("ann", "slack");
});
