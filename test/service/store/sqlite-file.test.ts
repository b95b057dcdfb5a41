import { renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import * as storeLimits from "#limits/store-limits";
import { openStore } from "#service/store/open-store";
import { actingAs } from "#service/store/audit/actor";
import { StoreFault } from "#service/store/store-fault";
import { epochMillis } from "#base/units";
import { temporaryFolder } from "../../support/running-service.ts";
import { canMount, smallDisk } from "../../support/small-disk.ts";
import { killedAt } from "./conformance/kill.ts";
import {
  assigned,
  openQuietly,
  noon,
  slotAfter,
  someMonitor,
  someResult,
} from "./conformance/scene.ts";

const place = (): string => path.join(temporaryFolder(), "picket.db");
const open = openQuietly;
const faultOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof StoreFault ? error.code : `no fault: ${String(error)}`;
};

test("a second service on a file says so and ends; a command next to it works, and so does the next service", async () => {
  const file = place();
  {
    await using store = await open(file);
    expect(await faultOf(open(file))).toBe("store_locked");
    await using command = await openStore({
      database: file,
      use: "command",
      onProgress: () => {},
    });
    const id = await command.state.monitors.create(someMonitor());
    expect((await store.state.monitors.get(id))?.id).toBe(id);
  }
  await using _ = await open(file);
});
test("the file is its owner's alone", async () => {
  const file = place();
  await using store = await open(file);
  await store.state.monitors.create(someMonitor());
  for (const end of ["", "-wal", "-shm", ".lock"])
    expect(statSync(`${file}${end}`).mode & 0o077).toBe(0);
});
test("a service that is killed in the middle of a batch has lost nothing that it acknowledged, and its file is free", async () => {
  const { acknowledged, stored, counted } = await killedAt(place());
  expect(acknowledged).toBeGreaterThanOrEqual(30);
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  expect(counted).toEqual(new Set([stored]));
});
test("a file that is moved away while it is used takes nothing more, until it is back", async () => {
  const file = place();
  await using store = await open(file);
  const { append, monitors } = await assigned(store);
  renameSync(file, `${file}.away`);
  expect(await faultOf(append(someResult(monitors[0]!, noon)))).toBe("store_moved");
  expect((await store.health())?.message).toContain("was moved or deleted");
  renameSync(`${file}.away`, file);
  expect(await append(someResult(monitors[0]!, noon))).toEqual(["accepted"]);
  expect(await store.health()).toBeNull();
});
test("a file that another process holds for long is locked, and free again afterwards", async () => {
  const file = place();
  await using store = await open(file);
  const other = new DatabaseSync(file);
  other.exec("BEGIN IMMEDIATE");
  expect(await faultOf(store.state.monitors.create(someMonitor()))).toBe("store_locked");
  // Reading goes on.
  expect(await store.state.monitors.count()).toBe(0);
  other.exec("ROLLBACK");
  other.close();
  await store.state.monitors.create(someMonitor());
  expect(await store.health()).toBeNull();
});
test.skipIf(!canMount())(
  "a disk that is full is a fault by name, undoes the batch that did not fit, and keeps the earlier results",
  async () => {
    const { folder } = smallDisk("1500k");
    await using store = await open(path.join(folder, "picket.db"));
    const { append, location, monitors } = await assigned(store);
    const detail = { message: "", payload: new Uint8Array(20_000) };
    let acknowledged = 0;
    let fault = "";
    while (fault === "") {
      const result = someResult(monitors[0]!, slotAfter(acknowledged), { status: "error", detail });
      fault = await append(result).then(
        () => "",
        (error: unknown) => (error instanceof StoreFault ? error.code : String(error)),
      );
      if (fault === "") acknowledged += 1;
    }
    expect(fault).toBe("store_full");
    expect((await store.health())?.code).toBe("store_full");
    expect((await store.results.totals(location, monitors))[0]?.error).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThan(5);
  },
);
test("a file of another program, and one of a newer Picket, are left alone", async () => {
  const other = place();
  new DatabaseSync(other).exec("CREATE TABLE cats (name TEXT)");
  expect(await faultOf(open(other))).toBe("store_broken");
  const text = place();
  writeFileSync(
    text,
    "this is no database at all, but a text that is long enough to be looked at".repeat(20),
  );
  expect(await faultOf(open(text))).toBe("store_broken");
  const newer = place();
  await (await open(newer))[Symbol.asyncDispose]();
  const sqlite = new DatabaseSync(newer);
  sqlite.exec("PRAGMA user_version = 999");
  sqlite.close();
  await expect(open(newer)).rejects.toThrow("was written by a newer Picket");
});
test("a backup is whole while results come in, and is a database like any other", async () => {
  const file = place();
  await using store = await open(file);
  const { append, location, monitors } = await assigned(store);
  for (let round = 0; round < 50; round += 1)
    await append(someResult(monitors[0]!, slotAfter(round)));
  const coming = Array.from({ length: 50 }, (_, n) =>
    append(someResult(monitors[0]!, slotAfter(50 + n))),
  );
  const copy = place();
  await store.backup(copy);
  await Promise.all(coming);
  expect(await faultOf(store.backup(copy))).toBe("unsupported");
  expect(statSync(copy).mode & 0o077).toBe(0);
  await using restored = await open(copy);
  const [totals] = await restored.results.totals(location, monitors);
  const window = {
    from: noon,
    to: slotAfter(999),
    cursor: null,
    skip: 0,
    limit: 500,
    location,
  } as const;
  const page = await restored.results.window({
    ...window,
    monitor: monitors[0]!,
    order: "oldest first",
  });
  expect(totals?.success).toBeGreaterThanOrEqual(50);
  expect(page.results).toHaveLength(totals!.success);
});
test("an older service leaves out what a newer one deleted and it does not know, and purges it in its time", async () => {
  const file = place();
  const ann = { kind: "person", name: "ann", from: "", at: noon } as const;
  const since = epochMillis(noon - 1);
  await using store = await open(file);
  const monitor = await store.state.monitors.create(someMonitor());
  await actingAs(ann, () => store.state.monitors.delete(monitor));
  using beside = new DatabaseSync(file);
  beside.exec(`INSERT INTO trash (kind, id, name, deleted_at, deleted_by, kept)
    VALUES ('gadget', 7, 'Of later', ${noon + 1}, 'person ann', '[{"table":"gadgets","rows":[{"id":7}]}]')`);
  expect(await store.trash.recent("person ann", since, 10)).toMatchObject([{ id: monitor }]);
  expect(await store.trash.restore("monitor", monitor, since)).toBe("restored");
  expect(await store.trash.purge(epochMillis(noon + 1))).toBe(false);
  expect(beside.prepare("SELECT COUNT(*) AS count FROM trash").get()?.["count"]).toBe(0);
});
test("deleting a location with many results is done before any of them goes, and others are served while they go", async () => {
  const file = place();
  const { location, monitors } = await (async () => {
    await using store = await open(file);
    const made = await assigned(store);
    await made.append(someResult(made.monitors[0]!, noon));
    return made;
  })();
  const count = 100_000;
  const others = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count - 1})
    INSERT INTO results SELECT monitor, location, slot + n * 1000, status, latency, started, status_code, failure, stored,
      phases, attempts, asked FROM results, n ORDER BY n`;
  const kept = (): unknown => {
    using beside = new DatabaseSync(file, { readOnly: true });
    return beside.prepare("SELECT COUNT(*) AS count FROM results").get()?.["count"];
  };
  {
    using beside = new DatabaseSync(file);
    beside.exec(`PRAGMA synchronous = OFF; ${others}; UPDATE series SET kept = ${count};`);
  }
  await using store = await open(file);
  const { results, state } = store;
  expect(await state.locations.delete(location)).toBe(true);
  // Its ten minutes are over.
  await store.trash.purge(epochMillis(Number.MAX_SAFE_INTEGER));
  expect(kept()).toBe(count);
  expect((await results.totals(null, monitors)).length).toBe(0);
  const other = await assigned(store);
  const never = epochMillis(0);
  const before = { details: never, results: never, hours: never, days: never };
  const portions = 20;
  for (let portion = 0; portion < portions; portion += 1) {
    const result = someResult(other.monitors[0]!, slotAfter(portion));
    const [more, receipts] = await Promise.all([results.forget(before), other.append(result)]);
    expect([more, receipts]).toEqual([true, ["accepted"]]);
  }
  expect(kept()).toBe(count - portions * storeLimits.forgetRowsAtOnce + portions);
});
test("questions are answered during a long write", async () => {
  await using store = await open(place());
  const { location, monitors } = await assigned(store);
  const results = Array.from({ length: 5_000 }, (_, n) => someResult(monitors[0]!, slotAfter(n)));
  const writing = store.results.append({ location, storedAt: noon, results });
  let isWritten = false;
  void writing.then(() => (isWritten = true));
  expect(await store.state.monitors.count()).toBe(1);
  expect(isWritten).toBe(false);
  await writing;
});
