import { expect, test } from "vitest";
import { seconds } from "#base/units";
import { MomentSayer } from "#service/status-site/news/moment-sayer";
import { FakeClock } from "../../../support/fake-clock.ts";
import { memoryLog } from "../../../support/twins.ts";

test("planned work that fails keeps no other from being said, and is logged once until it does not", async () => {
  const [clock, log] = [new FakeClock(), memoryLog()];
  let said: number[] = [];
  let failing: number | null = 2;
  const letters = {
    workDue: async () => [1, 2, 3],
    sayMoments: async (work: number) => {
      if (work === failing) throw new Error("its rule cannot be read");
      said.push(work);
      return 1;
    },
  };
  const stopping = new AbortController();
  const running = new MomentSayer({ letters, clock, log }).run(stopping.signal);
  await clock.advance(seconds(5));
  expect(said).toEqual([1, 3]);
  await clock.advance(seconds(10));
  expect(said).toEqual([1, 3, 1, 3]);
  expect(log.said).toEqual([
    {
      level: "error",
      message: "could not look for planned work that begins or ends",
      fields: { "error.message": "Error: its rule cannot be read", maintenance: 2 },
    },
  ]);
  [said, failing] = [[], null];
  await clock.advance(seconds(10));
  expect(said).toEqual([1, 2, 3]);
  failing = 3;
  await clock.advance(seconds(10));
  expect(log.said).toHaveLength(2);
  stopping.abort();
  await running;
});
