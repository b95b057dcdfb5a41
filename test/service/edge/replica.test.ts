import path from "node:path";
import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { silentLogger } from "#base/log";
import { forgetting, Replica } from "#service/edge/replica";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const everyPart = Array.from({ length: limits.judgeParts }, (_, part) => part);

test("replicas share the parts of the work, none is two's, one of them forgets, and the last one has all", async () => {
  const database = path.join(temporaryFolder(), "service.sqlite");
  await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  const clock = new FakeClock();
  const start = () => {
    const stopping = new AbortController();
    const replica = new Replica(store.state.leases, { clock, log: silentLogger });
    let taken = 0;
    const ended = replica.run(stopping.signal, () => (taken += 1));
    const stop = (): Promise<void> => {
      stopping.abort();
      return ended;
    };
    return { replica, stop, taken: () => taken };
  };
  const all = [start(), start(), start()];
  const parts = () => all.map(({ replica }) => replica.parts);
  const settled = async (sizes: readonly number[]): Promise<void> => {
    await expect
      .poll(async () => {
        await clock.advance(limits.leaseRenewedEvery);
        const held = parts();
        expect(new Set(held.flat()).size).toBe(held.flat().length);
        return held.map((one) => one.length).toSorted((a, b) => a - b);
      })
      .toEqual(sizes);
    expect(
      parts()
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual(everyPart);
    expect(all.filter(({ replica }) => replica.holds(forgetting))).toHaveLength(1);
  };
  await settled([5, 5, 6]);
  expect(all.every(({ taken }) => taken() > 0)).toBe(true);
  await all.pop()?.stop();
  await settled([8, 8]);
  await all.pop()?.stop();
  await settled([16]);
  await all.pop()?.stop();
});
