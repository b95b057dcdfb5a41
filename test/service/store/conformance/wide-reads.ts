import { beforeEach, expect, test } from "vitest";
import { epochMillis, hours, minutes } from "#base/units";
import { daysLookedUpMax } from "#limits/store-limits";
import { dayColumns } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
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
    const { store } = scene;
    const all = await filledDays(scene, 2_501);
    const day = { from: at("2026-08-12T00:00:00Z"), to: at("2026-08-13T00:00:00Z") };
    const table = await store.results.days({ monitors: all, ...day });
    expect(table).toHaveLength(all.length * dayColumns.length);
    expect(table.at(-dayColumns.length)).toBe(all.at(-1));
    // Some of them, without the others.
    const some = await store.results.days({ monitors: all.slice(-300), ...day });
    expect(some).toHaveLength(300 * dayColumns.length);
  });

  test("more days of many monitors than one statement looks up leave out none, and say none twice", async () => {
    const { store } = scene;
    const all = await filledDays(scene, 300, 80);
    const asked = { from: epochMillis(noon - hours(24 * 100)), to: epochMillis(noon + 1) };
    const table = await store.results.days({ monitors: all, ...asked });
    expect(table).toHaveLength(300 * 80 * dayColumns.length);
    const rows = Array.from({ length: 300 * 80 }, (_, row) => row * dayColumns.length);
    const names = rows.map((row) => `${table[row + 1]} ${table[row]}`);
    expect(new Set(names).size).toBe(rows.length);
    expect(rows.every((row) => table[row + dayColumns.indexOf("checks")] === 1)).toBe(true);
    const sums = await store.results.sums({ monitors: all, ...asked, since: asked.from });
    expect([...sums.keys()].toSorted((a, b) => a - b)).toEqual(all);
    expect(new Set([...sums.values()].map(({ checks }) => checks))).toEqual(new Set([80]));
    const [last] = await store.results.medians({ monitors: all.slice(-1), ...asked });
    const few = all.slice(-daysLookedUpMax);
    const medians = await store.results.medians({ monitors: few, ...asked });
    expect([...medians.keys()].toSorted((a, b) => a - b)).toEqual(few);
    expect(new Set(medians.values())).toEqual(new Set([last?.[1]]));
  });

  test("planned work past a thousand others is work of now, and its moments are due", async () => {
    const { store, change } = scene;
    const facts = { title: "Upgrade", message: "m", recurrence: "", timeZone: "UTC" };
    const about = { page: "1", components: [], monitors: [], locations: [] };
    const times = { from: epochMillis(noon + minutes(10)), to: epochMillis(noon + hours(1)) };
    const says = { reminder: true, times: true };
    const made = { ...facts, ...about, ...times, owner: "", notify: true, at: noon, says };
    await store.alerts.maintenances.create(made, false);
    const columns = `title, message, begins_at, ends_at, recurrence, time_zone, page, components, monitors, locations,
      owner, created_at, updated_at, notify, planned_at, earlier_plans, moved_ends, reminds, says_times`;
    await change(
      `INSERT INTO maintenances (${columns}) SELECT ${columns} FROM maintenances, ${numbers(1_004)}`,
    );
    const now = times.from;
    const due = await store.readers.letters.workDue(now);
    expect(new Set(due).size).toBe(1_005);
    const works = await store.alerts.maintenances.between(now, now);
    expect(works.map(({ id }) => id)).toEqual(due);
  });

  test("days of monitors next to each other have none of those between that are deleted, or are not asked for", async () => {
    const { store, change } = scene;
    const all = await filledDays(scene, 40, 3);
    const [unasked, deleted] = [all[7], all[20]];
    // Its days are there until they are forgotten.
    await change(`DELETE FROM monitors WHERE id = ${deleted}`);
    const asked = {
      monitors: all.filter((one) => one !== unasked),
      from: epochMillis(noon - hours(24 * 10)),
      to: epochMillis(noon + 1),
    };
    const wanted = all.filter((one) => one !== unasked && one !== deleted);
    const table = await store.results.days(asked);
    const rows = Array.from({ length: table.length / dayColumns.length }, (_, row) => row);
    const seen = rows.map((row) => table[row * dayColumns.length] ?? 0);
    expect([...new Set(seen)].toSorted((a, b) => a - b)).toEqual(wanted);
    const sums = await store.results.sums({ ...asked, since: asked.from });
    expect([...sums.keys()].toSorted((a, b) => a - b)).toEqual(wanted);
    const medians = await store.results.medians(asked);
    expect([...medians.keys()].toSorted((a, b) => a - b)).toEqual(wanted);
  });
}

/** So many monitors with one result each on every one of these days, the last of which is the day of `noon`. */
export async function filledDays(
  { store, change }: OpenStore,
  monitors: number,
  days = 1,
): Promise<readonly MonitorId[]> {
  const { monitors: made, append } = await assigned(store, 1);
  const [first = monitorId(1)] = made;
  await append(someResult(first, noon));
  if (days > 1)
    await change(
      `INSERT INTO daily (bucket, monitor, ${rollup})
       SELECT bucket - CAST(i AS BIGINT) * 86400000, monitor, ${rollup} FROM daily, ${numbers(days - 1)}`,
    );
  await change(
    `INSERT INTO monitors (id, uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
     SELECT id + i, '', kind, active, definition, owner, labels, revision, created_at, updated_at
     FROM monitors, ${numbers(monitors - 1)}`,
  );
  await change(
    `INSERT INTO daily (bucket, monitor, ${rollup})
     SELECT bucket, monitor + i, ${rollup} FROM daily, ${numbers(monitors - 1)}`,
  );
  return Array.from({ length: monitors }, (_, index) => monitorId(first + index));
}
