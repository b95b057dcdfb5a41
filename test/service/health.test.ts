import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { healthOf } from "#service/health";
import { SteadyClock } from "#base/steady-clock";
import { StoreFault } from "#service/store/store-fault";
import { millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { memoryLog } from "../support/twins.ts";

test("the last answer stands while the database is asked again, and no longer than it may take", async () => {
  const clock = new FakeClock();
  const log = memoryLog();
  const looks: PromiseWithResolvers<StoreFault | null>[] = [];
  const look = (): Promise<StoreFault | null> => {
    looks.push(Promise.withResolvers());
    return looks.at(-1)!.promise;
  };
  const health = healthOf({ health: look }, { clock: new SteadyClock(clock), log });
  const first = health();
  looks[0]!.resolve(null);
  expect(await first).toBeNull();
  expect(await health()).toBeNull();
  expect(looks).toHaveLength(1);

  await clock.advance(limits.serviceHealthEvery);
  const waiting = [health(), health()];
  await clock.advance(limits.serviceHealthPatience);
  expect(await Promise.all(waiting)).toEqual([null, null]);
  await clock.advance(millis(limits.serviceHealthLate - limits.serviceHealthPatience));
  const late = health();
  await clock.advance(limits.serviceHealthPatience);
  expect(await late).toBe("nothing can be kept: the database does not answer");
  // All of them waited for one and the same look.
  expect(looks).toHaveLength(2);

  looks[1]!.resolve(new StoreFault("store_full", "the disk of /var/lib/a.db is full"));
  await clock.advance(millis(0));
  // Everyone may ask: where the database is, stands in the log alone.
  expect(await health()).toBe(
    "nothing can be kept: the disk of the database is full: make room on it",
  );
  expect(log.said).toMatchObject([
    { level: "error", fields: { "error.message": "the disk of /var/lib/a.db is full" } },
  ]);
});
