import { expect, test } from "vitest";
import { filePostgres, storeOver } from "../../../support/file-postgres.ts";
import { packAll } from "../conformance/packing.ts";
import {
  noon,
  slotAfter,
  someLocation,
  someMonitor,
  someResult,
  someToken,
} from "../conformance/scene.ts";

const { isServer, connections } = filePostgres();

test.skipIf(!isServer)(
  "the packer locks locations in the order of all others, so that none waits in a circle",
  async () => {
    const pool = await connections();
    await using store = await storeOver(pool);
    const { monitors, locations } = store.state;
    const all = [await monitors.create(someMonitor()), await monitors.create(someMonitor())];
    const lower = await locations.create(someLocation({ monitors: [all[1]!] }), someToken());
    const higher = await locations.create(someLocation({ monitors: [all[0]!] }), someToken());
    for (const [index, location] of [higher, lower].entries())
      await store.results.append({
        location,
        storedAt: noon,
        results: [someResult(all[index]!, slotAfter(0))],
      });
    let packing = Promise.resolve();
    await pool.use(async (query) => {
      await query("BEGIN");
      await query(`SELECT id FROM locations WHERE id = ${lower} FOR NO KEY UPDATE`);
      packing = packAll(store, slotAfter(500));
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      await expect.poll(async () => (await pool.use((own) => own(waiting))).rows).toHaveLength(1);
      const next = `SELECT id FROM locations WHERE id = ${higher} FOR NO KEY UPDATE NOWAIT`;
      expect((await query(next)).rows).toHaveLength(1);
      await query("COMMIT");
    });
    await packing;
    const packed = await pool.use((query) => query("SELECT hour FROM packed_results"));
    expect(packed.rows).toHaveLength(2);
  },
);
