import { beforeEach, expect, test } from "vitest";
import { epochMillis, hours } from "#base/units";
import { dayColumns } from "#service/store/day-table";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { assigned, at, noon, someLocation, someResult, someToken } from "./scene.ts";

/** A store, and how a statement is done in its database next to it. */
interface OpenStore {
  readonly store: Store;
  readonly change: (statement: string) => Promise<void>;
}

const rollup =
  "location, success, degraded, error, unknown, known, down, latency_sum, latency_max, latencies";
const numbers = (count: number): string =>
  `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n) AS numbers`;

/** What is added up is read whole, however many locations and monitors there are. */
export function wideReadsConform(open: () => Promise<OpenStore>): void {
  let scene: OpenStore;
  beforeEach(async () => {
    scene = await open();
  });

  test("hours of few monitors at forty locations leave out no monitor and no hour", async () => {
    const { store, change } = scene;
    const { monitors } = await assigned(store, 4);
    for (let made = 0; made < 40; made += 1) {
      const location = await store.state.locations.create(someLocation({ monitors }), someToken());
      const results = monitors.map((one) => someResult(one, noon));
      await store.results.append({ location, storedAt: noon, results });
    }
    const further = 524;
    await change(
      `INSERT INTO hourly (bucket, monitor, ${rollup})
       SELECT bucket - i * 3600000, monitor, ${rollup} FROM hourly, ${numbers(further)}`,
    );
    const [from, to] = [epochMillis(noon - hours(further + 1)), epochMillis(noon + 1)];
    const asked = { location: null, grain: "hour", from, to } as const;
    const buckets = await store.results.buckets({ ...asked, monitors });
    expect(buckets).toHaveLength(4 * 40 * (further + 1));
    expect(new Set(buckets.map(({ monitor }) => monitor))).toEqual(new Set(monitors));
  });

  test("days of more monitors than one statement names leave out none", async () => {
    const further = 2_500;
    const { store, change } = scene;
    const { monitors, append } = await assigned(store, 1);
    const [first = monitorId(1)] = monitors;
    await append(someResult(first, noon));
    await change(
      `INSERT INTO monitors (id, uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
       SELECT id + i, '', kind, active, definition, owner, labels, revision, created_at, updated_at
       FROM monitors, ${numbers(further)}`,
    );
    await change(
      `INSERT INTO daily (bucket, monitor, ${rollup})
       SELECT bucket, monitor + i, ${rollup} FROM daily, ${numbers(further)}`,
    );
    const all = Array.from({ length: further + 1 }, (_, index) => monitorId(first + index));
    const day = { from: at("2026-08-12T00:00:00Z"), to: at("2026-08-13T00:00:00Z") };
    const table = await store.results.days({ monitors: all, ...day });
    expect(table).toHaveLength(all.length * dayColumns.length);
    expect(table.at(-dayColumns.length)).toBe(all.at(-1));
    // Some of them, without the others.
    const some = await store.results.days({ monitors: all.slice(-300), ...day });
    expect(some).toHaveLength(300 * dayColumns.length);
  });
}
