import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import type { Store } from "#service/store/store";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { temporaryFolder } from "../../support/running-service.ts";

interface Watched {
  readonly service: Service;
  readonly clock: FakeClock;
  /** How often days before today were read. */
  readonly pastReads: () => number;
  /** How often the list of monitors was read. */
  readonly listReads: () => number;
  /** How many pictures were begun: each reads the locations. */
  readonly begun: () => number;
  /** In which order pictures were begun and results of a monitor's page were read. */
  readonly order: () => readonly string[];
  /** When the overview that is shown was taken. */
  readonly shownAt: () => Promise<string>;
}

/** What a service hears of changes of its store, and when it may read the past. */
interface Circumstances {
  readonly gate?: Promise<void>;
  readonly hearsNews?: boolean;
}

/** A service with one monitor, on a real database whose reads are counted. */
async function watchedService({
  gate = Promise.resolve(),
  hearsNews = true,
}: Circumstances = {}): Promise<Watched> {
  const clock = new FakeClock(Date.parse("2026-11-22T12:00:00Z"));
  const database = path.join(temporaryFolder(), "service.sqlite");
  const counts = { past: 0, list: 0, begun: 0 };
  const order: string[] = [];
  const today = Date.parse("2026-11-22T00:00:00Z");
  const counting = (store: Store): Store => ({
    ...store,
    onChange: (listener) => (hearsNews ? store.onChange(listener) : { [Symbol.dispose]: () => {} }),
    results: {
      ...store.results,
      window: (asked) => {
        order.push("read");
        return store.results.window(asked);
      },
      days: async (asked) => {
        if (asked.from < today) counts.past += 1;
        await gate;
        return store.results.days(asked);
      },
    },
    state: {
      ...store.state,
      monitors: {
        ...store.state.monitors,
        list: (page) => {
          counts.list += 1;
          return store.state.monitors.list(page);
        },
      },
      locations: {
        ...store.state.locations,
        list: (page) => {
          counts.begun += 1;
          order.push("begun");
          return store.state.locations.list(page);
        },
      },
    },
  });
  const listen = { host: "127.0.0.1", port: 0, pages: "local" as const };
  {
    await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
    const named = { name: "db", uri: "db.test:5432", periodicity: "30s" as const, active: true };
    const definition = { ...tcpDefaults, ...named };
    const made = { definition, owner: "", labels: {}, at: clock.wall() };
    await store.state.monitors.create(made);
  }
  const service = await startService({
    database,
    ...listen,
    clock,
    log: silentLogger,
    opensStore: async (place) => counting(await openStoreHere(place)),
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return {
    service,
    clock,
    pastReads: () => counts.past,
    listReads: () => counts.list,
    begun: () => counts.begun,
    order: () => order,
    shownAt: async () => {
      const page = await (await fetch(`${service.url}/`)).text();
      return /As of <\/span\s*><time datetime="[^"]*T([^"]+)\.000Z"/.exec(page)?.[1] ?? "";
    },
  };
}

test("the past is read once, before a person looks; whoever looks later finds it there", async () => {
  const { clock, pastReads, listReads, shownAt } = await watchedService();
  await expect.poll(pastReads).toBe(1);
  expect(await shownAt()).toBe("12:00:00");
  clock.suspend(limits.pictureShownFor);
  expect(await shownAt()).toBe("12:00:12");
  expect([pastReads(), listReads()]).toEqual([1, 1]);
});

test("while people look, a picture is taken before the last one is too old", async () => {
  const { clock, begun, shownAt } = await watchedService();
  expect(await shownAt()).toBe("12:00:00");
  await clock.advance(limits.pictureRenewedEvery);
  await expect.poll(begun).toBe(2);
  clock.suspend(limits.pictureShownFor - limits.pictureRenewedEvery);
  // It was taken by itself: whoever looks now finds it, or waits for it.
  expect(await shownAt()).toBe("12:00:08");
});

test("a look at a picture that is some seconds old does not wait for the next one, which is taken after it", async () => {
  const { service, clock, begun, order, shownAt } = await watchedService();
  expect(await shownAt()).toBe("12:00:00");
  clock.suspend(limits.pictureFreshFor);
  await (await fetch(`${service.url}/monitors/1`)).text();
  await expect.poll(begun).toBe(2);
  expect(order()).toEqual(["begun", "read", "read", "read", "begun"]);
  await expect.poll(shownAt).toBe("12:00:02");
});

test("the past is read again by itself before its hour is over", async () => {
  const { clock, pastReads, shownAt } = await watchedService();
  expect(await shownAt()).toBe("12:00:00");
  expect(pastReads()).toBe(1);
  clock.suspend(limits.pastReadEvery - limits.pastReadAhead);
  // The upkeep may still be at its first picture, and sleep after that.
  const readSince = async (): Promise<number> => {
    await clock.advance(limits.pictureRenewedEvery);
    return pastReads();
  };
  await expect.poll(readSince).toBe(2);
});

test("a monitor that is made is on the overview at once", async () => {
  const { service, shownAt } = await watchedService();
  expect(await shownAt()).toBe("12:00:00");
  const definition = { ...tcpDefaults, name: "new", uri: "new.test:1", periodicity: "30s" };
  await service.admin.createMonitor({ ...definition, active: true }, "management");
  expect(await (await fetch(`${service.url}/`)).text()).toContain("new.test:1");
});

test.for(["/monitors/2", "/monitors/2.json", "/monitors/2/chart.json"])(
  "%s of a monitor that another replica made is there before its news are",
  async (page) => {
    const { service, shownAt } = await watchedService({ hearsNews: false });
    expect(await shownAt()).toBe("12:00:00");
    const definition = { ...tcpDefaults, name: "new", uri: "new.test:1", periodicity: "30s" };
    await service.admin.createMonitor({ ...definition, active: true }, "management");
    expect((await fetch(`${service.url}${page}`)).status).toBe(200);
  },
);

test("a picture whose taking stood still is not shown: whoever waited gets one of now", async () => {
  const gate = Promise.withResolvers<void>();
  const { clock, begun, shownAt } = await watchedService({ gate: gate.promise });
  await expect.poll(begun).toBe(1);
  const shown = shownAt();
  clock.suspend(limits.pictureShownFor);
  gate.resolve();
  expect(await shown).toBe("12:00:12");
});
