import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { healthOf } from "#service/health";
import { SteadyClock } from "#steady-clock";
import { StoreFault } from "#store/store-fault";
import { millis } from "#units";
import { FakeClock } from "../support/fake-clock.ts";

test("the last answer stands while the database is asked again, and no longer than it may take", async () => {
  const clock = new FakeClock();
  const looks: PromiseWithResolvers<StoreFault | null>[] = [];
  const look = (): Promise<StoreFault | null> => {
    looks.push(Promise.withResolvers());
    return looks.at(-1)!.promise;
  };
  const health = healthOf({ health: look }, new SteadyClock(clock));
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

  looks[1]!.resolve(new StoreFault("store_full", "the disk is full"));
  await clock.advance(millis(0));
  expect(await health()).toBe("nothing can be kept: the disk is full");
});
