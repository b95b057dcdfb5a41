import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { tcpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import { after, hours, type Nanos } from "#base/units";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { fillMonitors } from "../../../../bench/pages/many-monitors.ts";
import { CountedStore } from "../../../support/counted-store.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";

const count = limits.preparedMonitorsMax + 50;
/** Leases of the judge end by the database's clock, so thousands are judged by the machine's. */
const now = systemClock.wall();

interface LargeService {
  readonly service: Service;
  readonly store: Store;
  /** The names of the monitors that a query of the overview lists, in order. */
  readonly names: (query?: string) => Promise<readonly string[]>;
  readonly page: (query?: string) => Promise<string>;
}

/** A service with more monitors than a whole picture has, one in fifty of which fails. */
async function largeService(
  opensStore: typeof openStoreHere = openStoreHere,
  clock: Clock = systemClock,
): Promise<LargeService> {
  const database = path.join(quickFolder(), "service.sqlite");
  await fillMonitors({ database, monitors: count, days: 2, token: "pkt_loc_bench", now });
  const opened: Store[] = [];
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock,
    log: silentLogger,
    opensStore: async (place) => {
      const store = await opensStore(place);
      opened.push(store);
      return store;
    },
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  const page = async (query = ""): Promise<string> =>
    (await fetch(`${service.url}/${query}`)).text();
  const names = async (query = ""): Promise<readonly string[]> =>
    [...(await page(query)).matchAll(/<h3><a href="\/monitors\/\d+">([^<]*)</g)].map(
      ([, name = ""]) => name,
    );
  const failing = Math.floor(count / 50);
  const dueFirst = () => store.state.states.due(now, { parts: 1, rests: [0] }, 1);
  await expect.poll(dueFirst).toEqual([]);
  await expect.poll(() => page()).toContain(`${failing} failing, of `);
  return { service, store, names, page };
}

/** The machine's time, but a picture gets no older from `stop` on, and the next is taken when a test rings. */
function pictureClock() {
  let stopped: Nanos | null = null;
  let ringing = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    monotonic: () => stopped ?? systemClock.monotonic(),
    sleep: async (duration, signal) => {
      if (duration !== limits.pictureRenewedEvery) return systemClock.sleep(duration, signal);
      const ended = new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => resolve());
      });
      await Promise.race([ringing.promise, ended]);
    },
  };
  return {
    clock,
    stop: () => {
      stopped = systemClock.monotonic();
    },
    ring: () => {
      ringing.resolve();
      ringing = Promise.withResolvers<void>();
    },
  };
}

const definition = { ...tcpDefaults, uri: "db.test:5432", periodicity: "1h", active: true };
const written = { owner: "", labels: {}, at: now };

test("an overview of thousands lists what fails first, then the rest as people count, a page at a time", async () => {
  const { names, page, service } = await largeService();
  const failing = Math.floor(count / 50);
  const first = await names();
  expect(first).toHaveLength(limits.overviewLinesMax);
  expect(first.slice(0, failing).every((name) => Number(/\d+/.exec(name)) % 50 === 0)).toBe(true);
  expect(first.slice(failing, failing + 3)).toEqual(
    [1, 2, 3].map((id) => `Service ${id} of team ${id}`),
  );
  expect(await page()).toContain("Connection refused");
  const second = await names(`?offset=${limits.overviewLinesMax}`);
  expect(new Set([...first, ...second]).size).toBe(2 * limits.overviewLinesMax);
  expect(await names("?text=HOST-77.")).toEqual(["Service 77 of team 9"]);
  expect(await names("?text=team:t3&sort=name")).toHaveLength(limits.overviewLinesMax);
  expect(await names("?text=nowhere")).toEqual([]);
  // Days and latencies are read of those alone that are shown, so nothing claims to be in their order.
  expect(await page()).not.toContain("worst first");
  expect(await names("?sort=uptime")).toEqual(first);
  const document = await fetch(`${service.url}/overview.json?sort=latency`);
  expect(document.status).toBe(400);
  expect(await document.text()).toMatch(/^sort must be one of urgency, name, since, as/);
});

test("what a person changes among thousands is on the next look: made, renamed, moved, deleted", async () => {
  const { names, page, store } = await largeService();
  const { monitors, locations } = store.state;
  const made = await monitors.create({
    ...written,
    definition: { ...definition, name: "new one" },
  });
  expect(await names("?text=new+one")).toEqual(["new one"]);
  await monitors.update(made, { ...written, definition: { ...definition, name: "another" } });
  expect(await names("?text=new+one")).toEqual([]);
  expect(await names("?text=another")).toEqual(["another"]);
  expect(await names("?location=1&text=another")).toEqual([]);
  await monitors.changeEach(
    [made],
    { kind: "location", location: locationId(1), assigned: true },
    now,
  );
  expect(await names("?location=1&text=another")).toEqual(["another"]);
  expect(await locations.count()).toBe(1);
  await store.configuration.own("monitor", made, "shop-files", "");
  expect(await page("?text=another")).toContain("Managed by the files of shop-files");
  await store.configuration.own("monitor", made, "", "shop-files");
  expect(await page("?text=another")).not.toContain("files of shop-files");
  await monitors.delete(made);
  expect(await names("?text=another")).toEqual([]);
  await monitors.delete(monitorId(1));
  expect(await page("?sort=name")).toContain("Service 2 of team 2");
  const covered = { monitors: [2], locations: [], labels: {}, reason: "", by: "a test" };
  await store.alerts.silences.create({ ...covered, from: now, until: after(now, hours(1)) });
  expect(await page("?sort=name")).toContain("Silenced until");
  expect(await page("?text=host-3.team")).not.toContain("Silenced until");
  expect(await names("?text=host-1.team")).toEqual([]);
});

test("a page of one monitor among thousands has its days and its latest check", async () => {
  const { service } = await largeService();
  const shown = await (await fetch(`${service.url}/monitors/77.json`)).json();
  expect(shown).toMatchObject({
    name: "Service 77 of team 9",
    status: "active",
    seen_at: ["Office"],
    uptime: "100.00 %",
  });
});

test("readers who come while verdicts come wait for one reading of thousands at a time, and see the newest", async () => {
  const gates: Promise<void>[] = [];
  const reading = { now: 0, most: 0 };
  const { clock, stop } = pictureClock();
  const { service, store, page } = await largeService(async (place) => {
    const opened = await openStoreHere(place);
    const notActive = async () => {
      reading.now += 1;
      reading.most = Math.max(reading.most, reading.now);
      await gates.at(-1);
      const found = await opened.state.states.notActive();
      reading.now -= 1;
      return found;
    };
    const states = { ...opened.state.states, notActive };
    return { ...opened, state: { ...opened.state, states } };
  }, clock);
  stop();
  await expect.poll(() => reading.now).toBe(0);
  reading.most = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.push(promise);
  const looks: Promise<string>[] = [];
  for (let look = 0; look < 4; look += 1) {
    // A verdict, as far as whoever listens knows.
    await store.state.states.put("no lease", "no one", []);
    looks.push(page());
    // By then the service has begun to answer the look.
    for (let round = 0; round < 3; round += 1) await fetch(`${service.url}/healthz`);
  }
  resolve();
  const pages = await Promise.all(looks);
  expect(pages.every((text) => text.includes(" failing, of "))).toBe(true);
  expect(reading.most).toBe(1);
});

test("while people look at thousands, the picture is renewed between two looks, and a look then reads nothing of all", async () => {
  const reads = { states: 0, incidents: 0 };
  const { clock, stop, ring } = pictureClock();
  const { page } = await largeService(async (place) => {
    const opened = await openStoreHere(place);
    const notActive = async () => {
      const found = await opened.state.states.notActive();
      reads.states += 1;
      return found;
    };
    const list: typeof opened.alerts.incidents.list = async (query) => {
      if (query.isOpen === true && query.kind === "monitor") reads.incidents += 1;
      return opened.alerts.incidents.list(query);
    };
    const incidents = { ...opened.alerts.incidents, list };
    const states = { ...opened.state.states, notActive };
    return {
      ...opened,
      state: { ...opened.state, states },
      alerts: { ...opened.alerts, incidents },
    };
  }, clock);
  stop();
  const before = reads.states;
  ring();
  await expect.poll(() => reads.states).toBe(before + 1);
  expect(await page()).toContain(" failing, of ");
  expect(reads.states).toBe(before + 1);
  // Once for each reading of all, and not again for the monitors that are shown.
  expect(reads.incidents).toBe(reads.states);
});

test("the report of a label among thousands reads those monitors alone that have it", async () => {
  const counted = new CountedStore();
  const { service } = await largeService(counted.open);
  const answer = await fetch(`${service.url}/uptime.json?label=team:t3`);
  const report: { readonly monitors: readonly { readonly id: string }[] } = JSON.parse(
    await answer.text(),
  );
  const ids = report.monitors.map(({ id }) => Number(id)).toSorted((a, b) => a - b);
  expect(ids).toHaveLength(Math.ceil((count - 2) / 17));
  expect(counted.calls("monitors.among")).toContainEqual([ids]);
});
