import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "#service/store/open-store";
import { monitorId } from "#service/store/ids";
import { mergeRollups } from "#service/store/rollup";
import type { Store } from "#service/store/store";
import { epochMillis, nanos } from "#base/units";
import { databaseBefore, databaseLastBefore } from "../../../support/database-before.ts";
import { temporaryFolder } from "../../../support/running-service.ts";
import {
  noon,
  openQuietly,
  slotAfter,
  someLocation,
  someMonitor,
  someToken,
} from "../conformance/scene.ts";

const everything = { from: epochMillis(0), to: slotAfter(999_999) };

/** What there is of the results of before: their number, what they add up to, and what the first monitor's are. */
async function shown(store: Store) {
  const monitors = await store.state.monitors.list({ limit: 1_000, offset: 0 });
  const [location] = await store.state.locations.list({ limit: 10, offset: 0 });
  const asked = { monitors: monitors.map(({ id }) => id), location: null, ...everything };
  const days = mergeRollups(await store.results.buckets({ ...asked, grain: "day" }));
  const hours = mergeRollups(await store.results.buckets({ ...asked, grain: "hour" }));
  const totals = await store.results.totals(null, asked.monitors);
  const sum = totals.reduce((all, one) => all + one.success + one.degraded + one.error, 0);
  return { monitors, location: location!, days, hours, sum };
}

test("100,000 results of before are all there in less room, with their hours and days", async () => {
  const file = path.join(temporaryFolder(), "picket.db");
  const before = databaseBefore(file, { monitors: 10, results: 100_000, begin: noon });
  const said: string[] = [];
  await using store = await openStore({
    database: file,
    use: "service",
    onProgress: (sentence) => void said.push(sentence),
  });
  const { monitors, location, days, hours, sum } = await shown(store);
  expect(sum).toBe(100_000);
  expect(days).toMatchObject({ success: 90_000, error: 10_000, known: 100_000 * 30_000 });
  expect(hours).toEqual(days);
  expect(monitors.map(({ uid }) => uid)).toEqual(before.monitors);
  expect(monitors[0]).toMatchObject({
    id: 1,
    createdAt: 3,
    updatedAt: 4,
    locations: [location.id],
  });
  expect(location).toMatchObject({
    uid: before.location,
    name: "office",
    metadata: { site: "berlin" },
  });
  expect(await store.state.locations.idOfUid(before.location)).toBe(location.id);
  expect((await store.state.locations.ofToken("token hash"))?.id).toBe(location.id);
  expect((await store.state.keys.ofHash("key hash", noon))?.uid).toBe("key-1");
  expect(await store.state.keys.ofHash("revoked hash", noon)).toBeNull();
  const key = { monitor: monitors[9]!.id, location: location.id, slot: slotAfter(7) };
  expect(await store.results.result(key)).toMatchObject({
    status: "error",
    startedAt: slotAfter(7) + 10,
    storedAt: slotAfter(7) + 500,
    failure: { code: "connection_refused", phase: "connect" },
    phases: { dns: nanos(1e6), wait: nanos(40e6), connect: null },
    attempts: 2,
    detail: { message: "nothing listens" },
  });
  const good = { ...key, monitor: monitors[0]!.id };
  expect((await store.results.result(good))?.detail).toBeNull();
  expect(statSync(file).size).toBeLessThan(statSync(`${file}.before`).size / 2);
  expect(said[0]).toContain("may take minutes");
  expect(said[1]).toContain("100000 results are copied");
  expect(said.at(-1)).toContain("can be deleted");
});

test("a database of the last version before the store keeps its integer ids, copies of tokens and states; a location whose results were going is gone", async () => {
  const file = path.join(temporaryFolder(), "picket.db");
  const { location, monitors } = databaseLastBefore(file, { monitors: 2, results: 4, begin: noon });
  await using store = await openQuietly(file);
  const { state } = store;
  const ids = await state.monitors.list({ limit: 10, offset: 0 });
  expect(ids.map(({ id, uid }) => [id, uid])).toEqual([
    [7, ""],
    [8, monitors[0]],
  ]);
  expect(await state.states.of([monitorId(8)])).toMatchObject([{ status: "error", since: 60 }]);
  const own = (await state.locations.idOfUid(location))!;
  expect(await state.locations.get(own)).toMatchObject({ stoppedAt: 90, lastSeenBy: "call" });
  expect((await state.locations.tokens(own, noon)).map(({ sealed }) => sealed)).toEqual(["sealed"]);
  const key = { monitor: monitorId(7), location: own, slot: noon };
  expect((await store.results.result(key))?.trigger).toBe("api");
  expect((await shown(store)).sum).toBe(4);
  // Ids of what was deleted are not used again.
  expect(await state.monitors.create(someMonitor())).toBe(21);
  expect(await state.locations.create(someLocation(), someToken())).toBe(4);
  const share = { parts: 1, rests: [0] };
  expect(await state.states.due(noon, share, 10)).toEqual([7, 8, 21]);
});

test("a service that is killed while it brings a database over leaves the old one whole, and the next one does it again", async () => {
  const file = path.join(temporaryFolder(), "picket.db");
  databaseBefore(file, { monitors: 5, results: 20_000, begin: noon });
  const program = path.resolve(import.meta.dirname, "../../../support/store-process.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // It says that it begins, and is killed then.
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(`${file}.before`)).toBe(false);
  const old = new DatabaseSync(file);
  expect(old.prepare("SELECT COUNT(*) AS n FROM results").get()).toMatchObject({ n: 20_000 });
  old.close();
  await using store = await openQuietly(file);
  expect((await shown(store)).sum).toBe(20_000);
});

test("a database that an old service has open is not brought over, and the sentence says so", async () => {
  const file = path.join(temporaryFolder(), "picket.db");
  databaseBefore(file, { monitors: 1, results: 1, begin: noon });
  const old = new DatabaseSync(file);
  old.exec("PRAGMA journal_mode = WAL; SELECT COUNT(*) FROM results;");
  await expect(openQuietly(file)).rejects.toThrow("end that one first");
  old.close();
  await using store = await openQuietly(file);
  expect((await shown(store)).sum).toBe(1);
});
