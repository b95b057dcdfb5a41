import { rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { canMount, smallDisk } from "../support/small-disk.ts";
import { assigned, openQuietly } from "../service/store/conformance/scene.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { expectEachOnce, report } from "./reporting-stores.ts";

const programs = citusPrograms();

test.skipIf(programs === null || !canMount())(
  "while a worker's disk is full its results are not acknowledged and the others are, and once there is room nothing is lost or twice",
  { timeout: 300_000 },
  async () => {
    const { folder } = smallDisk("400m");
    await using cluster = await startCitus(programs ?? "", { workerFolder: folder });
    const database = await cluster.fresh();
    await using store = await openQuietly(database);
    const scene = await assigned(store, 60);
    const reporting = report([store], scene);
    await vi.waitFor(() => expect(reporting.acknowledged.size).toBeGreaterThan(120), 100_000);
    const filler = path.join(folder, "filler");
    const fill = async (): Promise<void> => {
      const { bavail, bsize } = await statfs(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: "a" });
    };
    await fill();
    // What the write-ahead log had in hand is used up, then the worker refuses or ends itself.
    await vi.waitFor(() => expect(reporting.faults).toBeGreaterThan(0), 100_000);
    const before = reporting.acknowledged.size;
    // A round is repeated until all of it is acknowledged: of this one, the other worker's results were.
    expect(before % scene.monitors.length).toBeGreaterThan(0);
    rmSync(filler);
    if (!cluster.pids.has("worker-2")) await cluster.startWorker();
    await vi.waitFor(
      () => expect(reporting.acknowledged.size).toBeGreaterThan(before + 120),
      100_000,
    );
    await reporting[Symbol.asyncDispose]();
    await expectEachOnce(cluster, database, reporting);
  },
);
